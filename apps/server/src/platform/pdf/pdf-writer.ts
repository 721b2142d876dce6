import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import PDFDocument from 'pdfkit';

/** Text on A4, placed by hand: pdfkit writes the bytes, this file decides where lines and pages end. Points, from the top left corner. */

const fontFile = (url: string) => readFileSync(fileURLToPath(url));

/** Inter is the font of the page; DejaVu has the letters that Inter lacks, such as Georgian and Armenian. */
const FONTS = {
  regular: fontFile(import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf')),
  strong: fontFile(import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf')),
  'more-regular': fontFile(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')),
  'more-strong': fontFile(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf')),
} as const;
type FontName = keyof typeof FONTS;

export interface TextStyle {
  readonly size: number;
  readonly strong?: boolean;
  readonly color?: string;
}

export const PAGE = { width: 595.28, height: 841.89, margin: 48, bottom: 64 } as const;
export const TEXT_WIDTH = PAGE.width - 2 * PAGE.margin;

const LINE = 1.4;
/** Room for '… · Page 100 of 100'. */
const FOOT_NUMBER_WIDTH = 90;
const [PNG_WIDTH_AT, PNG_HEIGHT_AT] = [16, 20];
/** What no font has. */
const REPLACEMENT = '\u{FFFD}';
interface Run {
  readonly font: FontName;
  text: string;
}

interface Glyph {
  readonly advanceWidth: number;
}

interface GlyphRun {
  readonly glyphs: readonly Glyph[];
  readonly positions: readonly { xAdvance: number; yAdvance: number; xOffset: number; yOffset: number }[];
  readonly advanceWidth: number;
}

/** The font as pdfkit keeps it. */
interface OpenFont {
  readonly unitsPerEm: number;
  hasGlyphForCodePoint(codePoint: number): boolean;
  glyphForCodePoint(codePoint: number): Glyph;
  layout(text: string, features?: readonly string[]): GlyphRun;
}

const FIGURES = '0123456789';

/**
 * One glyph per letter, with figures of equal width so that a column of them lines up. The full layout of the font, with ligatures and
 * kerning, takes 3 ms a word: half a minute for a long document.
 */
function simplifyLayout(font: OpenFont): void {
  const { glyphs: tabular } = font.layout(FIGURES, ['tnum']);
  const figures = new Map(Array.from(FIGURES, (figure, index) => [figure, tabular[index]]));
  font.layout = (text) => {
    const glyphs = Array.from(text, (sign) => figures.get(sign) ?? font.glyphForCodePoint(sign.codePointAt(0) ?? 0));
    const positions = glyphs.map(({ advanceWidth }) => ({ xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 }));
    // A getter, because pdfkit scales the positions first.
    return {
      glyphs,
      positions,
      get advanceWidth() {
        return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
      },
    };
  };
}

export interface PdfWriter {
  /** Where the next thing goes. */
  y: number;
  lineHeight(style: TextStyle): number;
  /** The lines of a text within a width. */
  wrap(text: string, width: number, style: TextStyle): string[];
  /** Draws one line at x, or ending at x when it is aligned right. Does not move on. */
  line(text: string, x: number, style: TextStyle, align?: 'left' | 'right'): void;
  /** Draws lines below each other, on as many pages as they take, and moves on. */
  lines(lines: readonly string[], x: number, style: TextStyle): void;
  /** Starts a new page unless this much still fits; `onNewPage` is what is repeated there. */
  ensure(height: number, onNewPage?: () => void): void;
  rule(color?: string): void;
  /** A PNG, made smaller to fit. Returns its height. */
  image(bytes: Uint8Array, x: number, fit: readonly [number, number]): number;
  /** A square of dark modules, such as a QR code with its margin, on white. */
  modules(rows: readonly (readonly boolean[])[], x: number, size: number): void;
  /** Lines that open a page. */
  link(lines: readonly string[], url: string, x: number, style: TextStyle): void;
  /** Writes its name, shortened to one line, and the number of the page at the foot of every page, and ends the document. */
  finish(name: string): Promise<Uint8Array>;
}

export function createPdfWriter(info: { readonly title: string; readonly author: string }): PdfWriter {
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    info: { Title: info.title, Author: info.author, Creator: 'Callout' },
  });
  const chunks: Uint8Array[] = [];
  const ended = Promise.withResolvers<Uint8Array>();
  doc.on('data', (chunk: Uint8Array) => void chunks.push(chunk));
  doc.on('end', () => ended.resolve(new Uint8Array(Buffer.concat(chunks))));
  doc.on('error', ended.reject);

  const fonts = new Map<FontName, OpenFont>();
  /** Opened when a letter first needs it: most documents get by with the first of each weight. */
  const openFont = (name: FontName): OpenFont => {
    const opened = fonts.get(name);
    if (opened) return opened;
    doc.registerFont(name, FONTS[name]).font(name);
    const { font } = (doc as PDFKit.PDFDocument & { readonly _font: { readonly font: OpenFont } })._font;
    simplifyLayout(font);
    fonts.set(name, font);
    return font;
  };

  /** Splits a line by the font that has its letters. What is in none becomes a replacement sign; what shows nothing is left out. */
  const runsOf = (text: string, { strong }: TextStyle): Run[] => {
    const [main, more]: [FontName, FontName] = strong ? ['strong', 'more-strong'] : ['regular', 'more-regular'];
    const runs: Run[] = [];
    for (const sign of text) {
      if (/[\p{Cc}\p{Cf}\u{FE00}-\u{FE0F}]/u.test(sign)) continue;
      const has = (name: FontName) => openFont(name).hasGlyphForCodePoint(sign.codePointAt(0) ?? 0);
      const last = runs.at(-1);
      // A space or a mark stays in the font around it.
      const font = last && has(last.font) && /[\p{Zs}\p{M}]/u.test(sign) ? last.font : [main, more].find(has);
      const [drawnIn, drawn] = font ? [font, sign] : [more, REPLACEMENT];
      if (last?.font === drawnIn) last.text += drawn;
      else runs.push({ font: drawnIn, text: drawn });
    }
    return runs;
  };

  const widthOf = (text: string, style: TextStyle) =>
    runsOf(text, style).reduce((sum, run) => sum + doc.font(run.font, style.size).widthOfString(run.text), 0);

  const signWidths = new Map<string, number>();
  const widthOfSign = (sign: string, style: TextStyle): number => {
    const key = `${style.size} ${style.strong ?? false} ${sign}`;
    const width = signWidths.get(key) ?? widthOf(sign, style);
    signWidths.set(key, width);
    return width;
  };
  /** A space has the font of the letter before it. */
  const widthOfSpace = (line: string, style: TextStyle) => {
    const [letter = ''] = /.$/su.exec(line) ?? [];
    return widthOfSign(`${letter} `, style) - widthOfSign(letter, style);
  };

  /** Widths add up, since no letter changes its neighbours: measuring the whole line again with every letter would take minutes. */
  const wrapParagraph = (text: string, width: number, style: TextStyle): string[] => {
    const lines: string[] = [];
    let [line, taken] = ['', 0];
    const startLine = () => {
      lines.push(line);
      [line, taken] = ['', 0];
    };
    for (const word of text.split(/ +/)) {
      const signs = Array.from(word, (sign) => ({ sign, own: widthOfSign(sign, style) }));
      const added = signs.reduce((sum, { own }) => sum + own, line === '' ? 0 : widthOfSpace(line, style));
      if (taken + added <= width) {
        line += line === '' ? word : ` ${word}`;
        taken += added;
        continue;
      }
      if (line !== '') startLine();
      // A word that is wider than the column, such as a link, breaks anywhere.
      for (const { sign, own } of signs) {
        if (line !== '' && taken + own > width) startLine();
        line += sign;
        taken += own;
      }
    }
    return [...lines, line];
  };

  const writer: PdfWriter = {
    y: PAGE.margin,
    lineHeight: ({ size }) => size * LINE,
    wrap: (text, width, style) =>
      text
        .normalize('NFC')
        .replaceAll('\t', ' ')
        .split(/\r?\n/)
        .flatMap((paragraph) => wrapParagraph(paragraph, width, style)),
    line(text, x, style, align = 'left') {
      let left = align === 'right' ? x - widthOf(text, style) : x;
      const baseline = writer.y + style.size * 1.1;
      for (const run of runsOf(text, style)) {
        doc.font(run.font, style.size).fillColor(style.color ?? INK);
        doc.text(run.text, left, baseline, { lineBreak: false, baseline: 'alphabetic' });
        left += doc.widthOfString(run.text);
      }
    },
    lines(lines, x, style) {
      for (const text of lines) {
        writer.ensure(writer.lineHeight(style));
        writer.line(text, x, style);
        writer.y += writer.lineHeight(style);
      }
    },
    ensure(height, onNewPage) {
      if (writer.y + height <= PAGE.height - PAGE.bottom) return;
      doc.addPage();
      writer.y = PAGE.margin;
      onNewPage?.();
    },
    rule(color = FAINT) {
      doc
        .moveTo(PAGE.margin, writer.y)
        .lineTo(PAGE.width - PAGE.margin, writer.y)
        .lineWidth(0.75)
        .strokeColor(color)
        .stroke();
    },
    image(bytes, x, [width, height]) {
      const png = Buffer.from(bytes);
      const [ownWidth, ownHeight] = [png.readUInt32BE(PNG_WIDTH_AT), png.readUInt32BE(PNG_HEIGHT_AT)];
      const scale = Math.min(width / ownWidth, height / ownHeight, 1);
      doc.image(png, x, writer.y, { width: ownWidth * scale, height: ownHeight * scale });
      return ownHeight * scale;
    },
    modules(rows, x, size) {
      const side = size / rows.length;
      doc.rect(x, writer.y, size, size).fill('#ffffff');
      for (const [index, row] of rows.entries()) {
        for (const { start, end } of darkRuns(row)) doc.rect(x + start * side, writer.y + index * side, (end - start) * side, side);
      }
      doc.fill('#000000');
    },
    link(lines, url, x, style) {
      for (const text of lines) {
        writer.ensure(writer.lineHeight(style));
        doc.link(x, writer.y, widthOf(text, style), writer.lineHeight(style), url);
        writer.line(text, x, style);
        writer.y += writer.lineHeight(style);
      }
    },
    finish(name) {
      const { count } = doc.bufferedPageRange();
      const style = { size: 8, color: MUTED };
      const [shown = '', ...rest] = writer.wrap(name, TEXT_WIDTH - FOOT_NUMBER_WIDTH, style);
      for (let page = 0; page < count; page += 1) {
        doc.switchToPage(page);
        writer.y = PAGE.height - 40;
        const number = `Page ${page + 1} of ${count}`;
        writer.line(`${shown}${rest.length > 0 ? '…' : ''} · ${number}`, PAGE.width - PAGE.margin, style, 'right');
      }
      doc.end();
      return ended.promise;
    },
  };
  return writer;
}

/** Neighbours are drawn as one, so that no hairline shows between them. */
function darkRuns(row: readonly boolean[]): { start: number; end: number }[] {
  const runs: { start: number; end: number }[] = [];
  for (const [index, isDark] of row.entries()) {
    const last = runs.at(-1);
    if (!isDark) continue;
    if (last?.end === index) last.end = index + 1;
    else runs.push({ start: index, end: index + 1 });
  }
  return runs;
}

const INK = '#111827';
export const MUTED = '#6b7280';
const FAINT = '#e5e7eb';
