import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { create, type Font, type Glyph } from 'fontkit';
import PDFDocument from 'pdfkit';

const readFont = (url: string) => readFileSync(fileURLToPath(url));

/** Inter is the app's font. DejaVu is the fallback for scripts that Inter lacks, such as Georgian and Armenian. */
const FONTS = {
  regular: readFont(import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf')),
  strong: readFont(import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf')),
  'fallback-regular': readFont(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')),
  'fallback-strong': readFont(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf')),
} as const;
type FontName = keyof typeof FONTS;

export interface TextStyle {
  readonly size: number;
  readonly strong?: boolean;
  readonly color?: string;
}

/** An A4 page in points; y grows downward from the top left corner. */
export const PAGE_LAYOUT = { width: 595.28, height: 841.89, margin: 48, bottom: 64 } as const;
export const TEXT_WIDTH = PAGE_LAYOUT.width - 2 * PAGE_LAYOUT.margin;

const LINE_HEIGHT_RATIO = 1.4;
/** Wide enough for '… · Page 100 of 100'. */
const FOOTER_NUMBER_WIDTH = 90;
const [PNG_WIDTH_OFFSET, PNG_HEIGHT_OFFSET] = [16, 20];
/** Printed in place of characters that neither font has. */
const REPLACEMENT_CHARACTER = '\u{FFFD}';
interface FontRun {
  readonly font: FontName;
  text: string;
}

const DIGITS = '0123456789';

/**
 * Maps each character to one glyph, without ligatures and kerning, because fontkit's full layout takes 3 ms per word, or half a minute for
 * a long document. Digits are tabular, so that columns of numbers line up.
 */
function simplifyLayout(font: Font): void {
  const { glyphs: tabular } = font.layout(DIGITS, ['tnum']);
  const tabularDigits = new Map(Array.from(DIGITS, (digit, index) => [digit, tabular[index]]));
  const findGlyph = (character: string): Glyph => {
    const codePoint = character.codePointAt(0) ?? 0;
    const glyph = tabularDigits.get(character) ?? font.glyphForCodePoint(codePoint);
    // A copy: several characters may share a glyph, which keeps the character that used it first, even in an earlier document.
    return Object.create(glyph, { codePoints: { value: [codePoint] } }) as Glyph;
  };
  font.layout = (text) => {
    const glyphs = Array.from(text, findGlyph);
    const positions = glyphs.map(({ advanceWidth }) => ({ xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 }));
    // pdfkit scales the positions in place before it reads the width, so a getter computes the width from the scaled positions.
    return {
      glyphs,
      positions,
      get advanceWidth() {
        return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
      },
    };
  };
}

const openedFonts = new Map<FontName, Font>();

/** Opens a font once per thread, because parsing takes time. Most documents never need the fallback fonts. */
function openFont(name: FontName): Font {
  const opened = openedFonts.get(name);
  if (opened) return opened;
  const font = create(FONTS[name]);
  simplifyLayout(font);
  openedFonts.set(name, font);
  return font;
}

export interface PdfWriter {
  /** Top of the next element, in points. */
  y: number;
  getLineHeight(style: TextStyle): number;
  /** Breaks text into lines no wider than `width`. */
  wrapText(text: string, width: number, style: TextStyle): string[];
  /** Draws one line that starts at x, or ends at x if right-aligned. Doesn't advance `y`. */
  drawText(text: string, x: number, style: TextStyle, align?: 'left' | 'right'): void;
  /** Draws lines one below the other, breaking pages as needed, and advances `y`. */
  writeLines(lines: readonly string[], x: number, style: TextStyle): void;
  /** Starts a new page unless `height` still fits. `onNewPage` draws content to repeat on that page, such as a table header. */
  ensureSpace(height: number, onNewPage?: () => void): void;
  drawRule(color?: string): void;
  /** Draws a PNG, scaled down to fit, and returns its height. */
  drawImage(bytes: Uint8Array, x: number, fit: readonly [number, number]): number;
  /** Draws a QR code with its quiet zone on white. `true` is a dark module. */
  drawQrCode(rows: readonly (readonly boolean[])[], x: number, size: number): void;
  /** Draws lines that link to `url` and advances `y`. */
  writeLink(lines: readonly string[], url: string, x: number, style: TextStyle): void;
  /** Adds a footer with the page number and `name`, truncated to one line, to every page. Returns the file. */
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
  const finished = Promise.withResolvers<Uint8Array>();
  doc.on('data', (chunk: Uint8Array) => void chunks.push(chunk));
  doc.on('end', () => finished.resolve(new Uint8Array(Buffer.concat(chunks))));
  doc.on('error', finished.reject);

  /** Selects an opened font. pdfkit embeds it once per document, under its name. */
  const selectFont = (name: FontName, size: number) => doc.font(openFont(name), name, size);

  /** Splits a line into runs of one font each. Unknown characters are replaced, and invisible ones are dropped. */
  const splitByFont = (text: string, { strong }: TextStyle): FontRun[] => {
    const [main, fallback]: [FontName, FontName] = strong ? ['strong', 'fallback-strong'] : ['regular', 'fallback-regular'];
    const runs: FontRun[] = [];
    for (const character of text) {
      if (/[\p{Cc}\p{Cf}\u{FE00}-\u{FE0F}]/u.test(character)) continue;
      const hasGlyph = (name: FontName) => openFont(name).hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
      const last = runs.at(-1);
      // Spaces and combining marks keep the font of the preceding character.
      const font = last && hasGlyph(last.font) && /[\p{Zs}\p{M}]/u.test(character) ? last.font : [main, fallback].find(hasGlyph);
      const [runFont, runText] = font ? [font, character] : [fallback, REPLACEMENT_CHARACTER];
      if (last?.font === runFont) last.text += runText;
      else runs.push({ font: runFont, text: runText });
    }
    return runs;
  };

  const measureText = (text: string, style: TextStyle) =>
    splitByFont(text, style).reduce((sum, run) => sum + selectFont(run.font, style.size).widthOfString(run.text), 0);

  const characterWidths = new Map<string, number>();
  const measureCharacter = (character: string, style: TextStyle): number => {
    const key = `${style.size} ${style.strong ?? false} ${character}`;
    const width = characterWidths.get(key) ?? measureText(character, style);
    characterWidths.set(key, width);
    return width;
  };
  /** Measures a space after `line`. A space has the font of the character before it. */
  const measureSpaceAfter = (line: string, style: TextStyle) => {
    const [last = ''] = /.$/su.exec(line) ?? [];
    return measureCharacter(`${last} `, style) - measureCharacter(last, style);
  };

  /** Wraps text by adding up character widths, which is exact without kerning. Measuring the line again for each one would take minutes. */
  const wrapParagraph = (text: string, width: number, style: TextStyle): string[] => {
    const lines: string[] = [];
    let [line, lineWidth] = ['', 0];
    const breakLine = () => {
      lines.push(line);
      [line, lineWidth] = ['', 0];
    };
    for (const word of text.split(/ +/)) {
      const characters = Array.from(word, (character) => ({ character, characterWidth: measureCharacter(character, style) }));
      const addedWidth = characters.reduce(
        (sum, { characterWidth }) => sum + characterWidth,
        line === '' ? 0 : measureSpaceAfter(line, style),
      );
      if (lineWidth + addedWidth <= width) {
        line += line === '' ? word : ` ${word}`;
        lineWidth += addedWidth;
        continue;
      }
      if (line !== '') breakLine();
      // A word wider than the column, such as a URL, may break anywhere.
      for (const { character, characterWidth } of characters) {
        if (line !== '' && lineWidth + characterWidth > width) breakLine();
        line += character;
        lineWidth += characterWidth;
      }
    }
    return [...lines, line];
  };

  const writer: PdfWriter = {
    y: PAGE_LAYOUT.margin,
    getLineHeight: ({ size }) => size * LINE_HEIGHT_RATIO,
    wrapText: (text, width, style) =>
      text
        .normalize('NFC')
        .replaceAll('\t', ' ')
        .split(/\r?\n/)
        .flatMap((paragraph) => wrapParagraph(paragraph, width, style)),
    drawText(text, x, style, align = 'left') {
      let left = align === 'right' ? x - measureText(text, style) : x;
      const baseline = writer.y + style.size * 1.1;
      for (const run of splitByFont(text, style)) {
        selectFont(run.font, style.size).fillColor(style.color ?? TEXT_COLOR);
        doc.text(run.text, left, baseline, { lineBreak: false, baseline: 'alphabetic' });
        left += doc.widthOfString(run.text);
      }
    },
    writeLines(lines, x, style) {
      for (const text of lines) {
        writer.ensureSpace(writer.getLineHeight(style));
        writer.drawText(text, x, style);
        writer.y += writer.getLineHeight(style);
      }
    },
    ensureSpace(height, onNewPage) {
      if (writer.y + height <= PAGE_LAYOUT.height - PAGE_LAYOUT.bottom) return;
      doc.addPage();
      writer.y = PAGE_LAYOUT.margin;
      onNewPage?.();
    },
    drawRule(color = RULE_COLOR) {
      doc
        .moveTo(PAGE_LAYOUT.margin, writer.y)
        .lineTo(PAGE_LAYOUT.width - PAGE_LAYOUT.margin, writer.y)
        .lineWidth(0.75)
        .strokeColor(color)
        .stroke();
    },
    drawImage(bytes, x, [width, height]) {
      const png = Buffer.from(bytes);
      const [imageWidth, imageHeight] = [png.readUInt32BE(PNG_WIDTH_OFFSET), png.readUInt32BE(PNG_HEIGHT_OFFSET)];
      const scale = Math.min(width / imageWidth, height / imageHeight, 1);
      doc.image(png, x, writer.y, { width: imageWidth * scale, height: imageHeight * scale });
      return imageHeight * scale;
    },
    drawQrCode(rows, x, size) {
      const side = size / rows.length;
      doc.rect(x, writer.y, size, size).fill('#ffffff');
      for (const [index, row] of rows.entries()) {
        for (const { start, end } of findDarkRuns(row)) doc.rect(x + start * side, writer.y + index * side, (end - start) * side, side);
      }
      doc.fill('#000000');
    },
    writeLink(lines, url, x, style) {
      for (const text of lines) {
        writer.ensureSpace(writer.getLineHeight(style));
        doc.link(x, writer.y, measureText(text, style), writer.getLineHeight(style), url);
        writer.drawText(text, x, style);
        writer.y += writer.getLineHeight(style);
      }
    },
    finish(name) {
      const { count } = doc.bufferedPageRange();
      const style = { size: 8, color: MUTED_COLOR };
      const [firstLine = '', ...rest] = writer.wrapText(name, TEXT_WIDTH - FOOTER_NUMBER_WIDTH, style);
      for (let page = 0; page < count; page += 1) {
        doc.switchToPage(page);
        writer.y = PAGE_LAYOUT.height - 40;
        const number = `Page ${page + 1} of ${count}`;
        writer.drawText(`${firstLine}${rest.length > 0 ? '…' : ''} · ${number}`, PAGE_LAYOUT.width - PAGE_LAYOUT.margin, style, 'right');
      }
      doc.end();
      return finished.promise;
    },
  };
  return writer;
}

/** Finds runs of adjacent dark modules, which are drawn as one rectangle because PDF viewers show hairlines between separate ones. */
function findDarkRuns(row: readonly boolean[]): { start: number; end: number }[] {
  const runs: { start: number; end: number }[] = [];
  for (const [index, isDark] of row.entries()) {
    const last = runs.at(-1);
    if (!isDark) continue;
    if (last?.end === index) last.end = index + 1;
    else runs.push({ start: index, end: index + 1 });
  }
  return runs;
}

const TEXT_COLOR = '#111827';
export const MUTED_COLOR = '#6b7280';
const RULE_COLOR = '#e5e7eb';
