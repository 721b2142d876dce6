import { MUTED, PAGE, type PdfWriter, TEXT_WIDTH, type TextStyle } from './pdf-writer.ts';

/** What documents with prices share: who they are from and for, a table of lines, and totals. Every figure comes as it is printed. */
export interface PrintedLine {
  readonly name: string;
  readonly description: string | null;
  readonly quantity: string;
  readonly unit_price: string;
  readonly tax: string;
  readonly total: string;
}

export interface PrintedTotals {
  readonly subtotal: string;
  readonly tax_label: string;
  readonly tax: string;
  readonly total: string;
}

export const LEFT = PAGE.margin;
export const RIGHT = PAGE.width - PAGE.margin;
/** Where the columns of figures end. */
const COLUMNS = { quantity: LEFT + 290, unitPrice: LEFT + 372, total: RIGHT } as const;
const NAME_WIDTH = 230;
const LABEL_END = LEFT + 400;

export const TITLE: TextStyle = { size: 18, strong: true };
export const SUBJECT: TextStyle = { size: 14, strong: true };
export const HEADING: TextStyle = { size: 12, strong: true };
export const BODY: TextStyle = { size: 9.5 };
export const STRONG: TextStyle = { size: 9.5, strong: true };
export const SMALL: TextStyle = { size: 8.5, color: MUTED };

type Party = readonly (string | null)[];

/** Side by side; the first line of each stands out. */
export function writeParties(pdf: PdfWriter, from: Party, to: Party | null): void {
  const column = TEXT_WIDTH / 2 - 12;
  const top = pdf.y;
  const ends = [writeParty(pdf, 'From', from, LEFT, column)];
  pdf.y = top;
  if (to) ends.push(writeParty(pdf, 'To', to, LEFT + TEXT_WIDTH / 2, column));
  pdf.y = Math.max(...ends) + 16;
}

/** Returns where it ends. */
function writeParty(pdf: PdfWriter, label: string, parts: Party, x: number, width: number): number {
  pdf.line(label, x, SMALL);
  pdf.y += pdf.lineHeight(SMALL);
  for (const [index, part] of parts.filter((text) => text !== null && text !== '').entries()) {
    const style = index === 0 ? STRONG : BODY;
    pdf.lines(pdf.wrap(part ?? '', width, style), x, style);
  }
  return pdf.y;
}

export function writeLineColumns(pdf: PdfWriter): void {
  pdf.line('Item', LEFT, SMALL);
  pdf.line('Qty', COLUMNS.quantity, SMALL, 'right');
  pdf.line('Unit price', COLUMNS.unitPrice, SMALL, 'right');
  pdf.line('Total', COLUMNS.total, SMALL, 'right');
  pdf.y += pdf.lineHeight(SMALL) + 3;
  pdf.rule();
  pdf.y += 5;
}

/** On one page, unless its description alone is longer than a page. */
export function writeLine(pdf: PdfWriter, line: PrintedLine): void {
  const name = pdf.wrap(line.name, NAME_WIDTH, BODY);
  const description = line.description ? pdf.wrap(line.description, NAME_WIDTH, SMALL) : [];
  const height = name.length * pdf.lineHeight(BODY) + description.length * pdf.lineHeight(SMALL) + 8;
  const page = PAGE.height - PAGE.bottom - PAGE.margin - 40;
  pdf.ensure(Math.min(height, page), () => writeLineColumns(pdf));
  // In the order in which it is read out.
  const [firstLine = '', ...otherLines] = name;
  pdf.line(firstLine, LEFT, BODY);
  pdf.line(line.quantity, COLUMNS.quantity, BODY, 'right');
  pdf.line(line.unit_price, COLUMNS.unitPrice, BODY, 'right');
  pdf.line(line.tax, COLUMNS.unitPrice + 8, SMALL);
  pdf.line(line.total, COLUMNS.total, BODY, 'right');
  pdf.y += pdf.lineHeight(BODY);
  pdf.lines(otherLines, LEFT, BODY);
  pdf.lines(description, LEFT, SMALL);
  pdf.y += 3;
  pdf.rule();
  pdf.y += 5;
}

export function writeTotals(pdf: PdfWriter, totals: PrintedTotals, label: string, rounding: string | null): void {
  const rows: [string, string, TextStyle][] = [
    ...(rounding ? [['Rounding', rounding, BODY] satisfies [string, string, TextStyle]] : []),
    ['Subtotal', totals.subtotal, BODY],
    [totals.tax_label, totals.tax, BODY],
    [label, totals.total, STRONG],
  ];
  pdf.ensure(rows.length * pdf.lineHeight(STRONG) + 4);
  for (const [name, amount, style] of rows) {
    pdf.line(name, LABEL_END, style, 'right');
    pdf.line(amount, COLUMNS.total, style, 'right');
    pdf.y += pdf.lineHeight(style);
  }
}
