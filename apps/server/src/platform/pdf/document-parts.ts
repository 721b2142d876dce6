import { MUTED_COLOR, PAGE_LAYOUT, type PdfWriter, TEXT_WIDTH, type TextStyle } from './pdf-writer.ts';

/** A line item of a quote or invoice. All its amounts are already formatted for print. */
export interface PrintedLineItem {
  readonly name: string;
  readonly description: string | null;
  readonly quantity: string;
  readonly unit_price: string;
  /** Printed below the name. */
  readonly discount?: string | undefined;
  readonly tax: string;
  readonly total: string;
}

export interface PrintedTotals {
  readonly subtotal: string;
  readonly tax_label: string;
  readonly tax: string;
  readonly total: string;
}

export const LEFT_X = PAGE_LAYOUT.margin;
export const RIGHT_X = PAGE_LAYOUT.width - PAGE_LAYOUT.margin;
/** Amounts are right-aligned, so columns are defined by their right edges. */
const COLUMN_RIGHT_X = { quantity: LEFT_X + 290, unitPrice: LEFT_X + 372, total: RIGHT_X } as const;
const NAME_WIDTH = 230;
const LABEL_RIGHT_X = LEFT_X + 400;

export const TITLE_STYLE: TextStyle = { size: 18, strong: true };
export const SUBJECT_STYLE: TextStyle = { size: 14, strong: true };
export const HEADING_STYLE: TextStyle = { size: 12, strong: true };
export const BODY_STYLE: TextStyle = { size: 9.5 };
export const STRONG_STYLE: TextStyle = { size: 9.5, strong: true };
export const SMALL_STYLE: TextStyle = { size: 8.5, color: MUTED_COLOR };

type PartyLines = readonly (string | null)[];

interface DocumentHeader {
  /** The logo as PNG bytes. */
  readonly logo: Uint8Array | null;
  /** Written on the right, one per line. Facts without a text are left out. */
  readonly facts: readonly (readonly [text: string | null, style: TextStyle])[];
  readonly from: PartyLines;
  readonly to: PartyLines | null;
  readonly partyLabels?: { readonly from: string; readonly to: string };
  readonly title: string;
  readonly description: string | null;
}

/** Writes the logo beside the facts, then both parties, the title and the description. */
export function writeHeader(pdf: PdfWriter, { logo, facts, from, to, partyLabels, title, description }: DocumentHeader): void {
  const top = pdf.y;
  const logoHeight = logo ? pdf.drawImage(logo, LEFT_X, [180, 56]) : 0;
  for (const [text, style] of facts) {
    if (!text) continue;
    pdf.drawText(text, RIGHT_X, style, 'right');
    pdf.y += pdf.getLineHeight(style);
  }
  pdf.y = Math.max(pdf.y, top + logoHeight) + 16;
  writeParties(pdf, from, to, partyLabels);
  pdf.drawRule();
  pdf.y += 14;
  pdf.writeLines(pdf.wrapText(title, TEXT_WIDTH, SUBJECT_STYLE), LEFT_X, SUBJECT_STYLE);
  if (description) pdf.writeLines(pdf.wrapText(description, TEXT_WIDTH, BODY_STYLE), LEFT_X, BODY_STYLE);
  pdf.y += 14;
}

/** Writes the sender and recipient side by side, each with the first line in bold. */
function writeParties(pdf: PdfWriter, from: PartyLines, to: PartyLines | null, labels = { from: 'From', to: 'To' }): void {
  const columnWidth = TEXT_WIDTH / 2 - 12;
  const top = pdf.y;
  const bottoms = [writeParty(pdf, labels.from, from, LEFT_X, columnWidth)];
  pdf.y = top;
  if (to) bottoms.push(writeParty(pdf, labels.to, to, LEFT_X + TEXT_WIDTH / 2, columnWidth));
  pdf.y = Math.max(...bottoms) + 16;
}

/** Writes a label and the lines below it, and returns the y position below the text. */
function writeParty(pdf: PdfWriter, label: string, lines: PartyLines, x: number, width: number): number {
  pdf.drawText(label, x, SMALL_STYLE);
  pdf.y += pdf.getLineHeight(SMALL_STYLE);
  for (const [index, line] of lines.filter((text) => text !== null && text !== '').entries()) {
    const style = index === 0 ? STRONG_STYLE : BODY_STYLE;
    pdf.writeLines(pdf.wrapText(line ?? '', width, style), x, style);
  }
  return pdf.y;
}

export function writeLineTableHeader(pdf: PdfWriter): void {
  pdf.drawText('Item', LEFT_X, SMALL_STYLE);
  pdf.drawText('Qty', COLUMN_RIGHT_X.quantity, SMALL_STYLE, 'right');
  pdf.drawText('Unit price', COLUMN_RIGHT_X.unitPrice, SMALL_STYLE, 'right');
  pdf.drawText('Total', COLUMN_RIGHT_X.total, SMALL_STYLE, 'right');
  pdf.y += pdf.getLineHeight(SMALL_STYLE) + 3;
  pdf.drawRule();
  pdf.y += 5;
}

/** Writes a line item, on a single page unless the item is taller than a page. */
export function writeLineItem(pdf: PdfWriter, line: PrintedLineItem): void {
  const name = pdf.wrapText(line.name, NAME_WIDTH, BODY_STYLE);
  const details = [line.description, line.discount].flatMap((text) => (text ? pdf.wrapText(text, NAME_WIDTH, SMALL_STYLE) : []));
  const height = name.length * pdf.getLineHeight(BODY_STYLE) + details.length * pdf.getLineHeight(SMALL_STYLE) + 8;
  const maxHeight = PAGE_LAYOUT.height - PAGE_LAYOUT.bottom - PAGE_LAYOUT.margin - 40;
  pdf.ensureSpace(Math.min(height, maxHeight), () => writeLineTableHeader(pdf));
  // Screen readers read text in drawing order, so draw the amounts right after the first line of the name.
  const [firstLine = '', ...otherLines] = name;
  pdf.drawText(firstLine, LEFT_X, BODY_STYLE);
  pdf.drawText(line.quantity, COLUMN_RIGHT_X.quantity, BODY_STYLE, 'right');
  pdf.drawText(line.unit_price, COLUMN_RIGHT_X.unitPrice, BODY_STYLE, 'right');
  pdf.drawText(line.tax, COLUMN_RIGHT_X.unitPrice + 8, SMALL_STYLE);
  pdf.drawText(line.total, COLUMN_RIGHT_X.total, BODY_STYLE, 'right');
  pdf.y += pdf.getLineHeight(BODY_STYLE);
  pdf.writeLines(otherLines, LEFT_X, BODY_STYLE);
  pdf.writeLines(details, LEFT_X, SMALL_STYLE);
  pdf.y += 3;
  pdf.drawRule();
  pdf.y += 5;
}

export interface PrintedAmount {
  readonly label: string;
  readonly amount: string;
  readonly strong?: boolean;
}

export function writeTotals(pdf: PdfWriter, totals: PrintedTotals, label: string, rounding: string | null): void {
  writeAmounts(pdf, [
    ...(rounding ? [{ label: 'Rounding', amount: rounding }] : []),
    { label: 'Subtotal', amount: totals.subtotal },
    { label: totals.tax_label, amount: totals.tax },
    { label, amount: totals.total, strong: true },
  ]);
}

/** Writes labeled amounts below the Total column. Short lists are never split across pages. */
export function writeAmounts(pdf: PdfWriter, rows: readonly PrintedAmount[]): void {
  pdf.ensureSpace(Math.min(rows.length, MAX_ROWS_KEPT_TOGETHER) * pdf.getLineHeight(STRONG_STYLE) + 4);
  for (const { label, amount, strong = false } of rows) {
    const style = strong ? STRONG_STYLE : BODY_STYLE;
    pdf.ensureSpace(pdf.getLineHeight(style));
    pdf.drawText(label, LABEL_RIGHT_X, style, 'right');
    pdf.drawText(amount, COLUMN_RIGHT_X.total, style, 'right');
    pdf.y += pdf.getLineHeight(style);
  }
}

const MAX_ROWS_KEPT_TOGETHER = 8;
