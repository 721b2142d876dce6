/** The part of fontkit that we use; it has no types. */
declare module 'fontkit' {
  export interface Glyph {
    readonly advanceWidth: number;
  }

  export interface GlyphRun {
    readonly glyphs: readonly Glyph[];
    readonly positions: readonly { xAdvance: number; yAdvance: number; xOffset: number; yOffset: number }[];
    readonly advanceWidth: number;
  }

  export interface Font {
    readonly unitsPerEm: number;
    hasGlyphForCodePoint(codePoint: number): boolean;
    glyphForCodePoint(codePoint: number): Glyph;
    layout(text: string, features?: readonly string[]): GlyphRun;
  }

  export function create(bytes: Uint8Array): Font;
}

declare namespace PDFKit.Mixins {
  interface PDFFont {
    /** pdfkit takes an opened font as well as its bytes, but its types don't list it. */
    font(src: { layout(text: string): object }, family: string, size?: number): this;
  }
}
