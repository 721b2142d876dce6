import {
  DEPOSIT_LABEL,
  type DocumentLine,
  type DocumentSection,
  type DocumentTotals,
  type QuoteDocument,
} from '@callout/domain/quotes/quote-document';
import { createPdfWriter, MUTED, PAGE, type PdfWriter, TEXT_WIDTH, type TextStyle } from './pdf-writer.ts';

export interface QuotePdfInput {
  readonly document: QuoteDocument;
  /** PNG. */
  readonly logo: Uint8Array | null;
  /** Of the kept copy: 'Accepted by Helen Faleolo on Nov 16, 2026'. */
  readonly accepted: string | null;
  /** Says that the kept copy is not what was kept. */
  readonly warning: string | null;
}

const LEFT = PAGE.margin;
const RIGHT = PAGE.width - PAGE.margin;
/** Where the columns of figures end. */
const COLUMNS = { quantity: LEFT + 290, unitPrice: LEFT + 372, total: RIGHT } as const;
const NAME_WIDTH = 230;
const LABEL_END = LEFT + 400;

const TITLE: TextStyle = { size: 18, strong: true };
const SUBJECT: TextStyle = { size: 14, strong: true };
const HEADING: TextStyle = { size: 12, strong: true };
const BODY: TextStyle = { size: 9.5 };
const STRONG: TextStyle = { size: 9.5, strong: true };
const SMALL: TextStyle = { size: 8.5, color: MUTED };

/** The quote on A4, with the words and figures of its page. */
export function renderQuotePdf({ document, logo, accepted, warning }: QuotePdfInput): Promise<Uint8Array> {
  const company = document.issuer.company_name ?? '';
  const pdf = createPdfWriter({ title: `Quote ${document.quote_number}`, author: company });
  writeHead(pdf, document, logo);
  if (accepted) {
    pdf.lines(pdf.wrap(accepted, TEXT_WIDTH, STRONG), LEFT, { ...STRONG, color: '#0f766e' });
    if (warning) pdf.lines(pdf.wrap(warning, TEXT_WIDTH, STRONG), LEFT, { ...STRONG, color: '#b91c1c' });
    pdf.y += 12;
  }
  // The kept copy shows what was agreed on, not what else was offered.
  const sections = accepted ? document.sections.filter(({ choice }) => choice !== 'not-selected') : document.sections;
  const hasChoice = sections.some(({ choice }) => choice !== 'required');
  for (const section of sections) writeSection(pdf, section, { hasChoice, isOnly: sections.length === 1, isAccepted: accepted !== null });
  if (sections.some(({ choice }) => choice !== 'not-selected')) writeSummary(pdf, document);
  const name = [`Quote ${document.quote_number}`, ...(company ? [company] : [])].join(' · ');
  return pdf.finish((page, pages) => `${name} · Page ${page} of ${pages}`);
}

function writeHead(pdf: PdfWriter, document: QuoteDocument, logo: Uint8Array | null): void {
  const { issuer, customer, quote_number, title, description, created, valid_until } = document;
  const top = pdf.y;
  const logoHeight = logo ? pdf.image(logo, LEFT, [180, 56]) : 0;
  pdf.line(`Quote ${quote_number}`, RIGHT, TITLE, 'right');
  pdf.y += pdf.lineHeight(TITLE);
  pdf.line(`Created ${created}`, RIGHT, SMALL, 'right');
  pdf.y += pdf.lineHeight(SMALL);
  if (valid_until) {
    pdf.line(`Valid until ${valid_until}`, RIGHT, SMALL, 'right');
    pdf.y += pdf.lineHeight(SMALL);
  }
  pdf.y = Math.max(pdf.y, top + logoHeight) + 16;
  const column = TEXT_WIDTH / 2 - 12;
  const from = [issuer.company_name, issuer.address, issuer.phone, issuer.email];
  const to = [customer?.company_name ?? customer?.name ?? null, customer?.company_name ? customer.name : null];
  const beside = pdf.y;
  const ends = [writeParty(pdf, 'From', from, LEFT, column)];
  pdf.y = beside;
  if (customer) ends.push(writeParty(pdf, 'To', to, LEFT + TEXT_WIDTH / 2, column));
  pdf.y = Math.max(...ends) + 16;
  pdf.rule();
  pdf.y += 14;
  pdf.lines(pdf.wrap(title, TEXT_WIDTH, SUBJECT), LEFT, SUBJECT);
  if (description) pdf.lines(pdf.wrap(description, TEXT_WIDTH, BODY), LEFT, BODY);
  pdf.y += 16;
}

/** Returns where it ends. */
function writeParty(pdf: PdfWriter, label: string, parts: readonly (string | null)[], x: number, width: number): number {
  pdf.line(label, x, SMALL);
  pdf.y += pdf.lineHeight(SMALL);
  for (const [index, part] of parts.filter((text) => text !== null && text !== '').entries()) {
    const style = index === 0 ? STRONG : BODY;
    pdf.lines(pdf.wrap(part ?? '', width, style), x, style);
  }
  return pdf.y;
}

interface SectionTerms {
  readonly hasChoice: boolean;
  readonly isOnly: boolean;
  readonly isAccepted: boolean;
}

const CHOICES: Record<DocumentSection['choice'], string> = {
  required: 'Included',
  selected: 'Selected option',
  'not-selected': 'Option, not selected',
};

function writeSection(pdf: PdfWriter, section: DocumentSection, { hasChoice, isOnly, isAccepted }: SectionTerms): void {
  const choice = hasChoice && !isAccepted && !isOnly ? CHOICES[section.choice] : null;
  const name = pdf.wrap(section.name, TEXT_WIDTH - 120, HEADING);
  // A heading stays with its first lines.
  pdf.ensure(name.length * pdf.lineHeight(HEADING) + 80);
  const [firstLine = '', ...otherLines] = name;
  pdf.line(firstLine, LEFT, HEADING);
  if (choice) pdf.line(choice, RIGHT, SMALL, 'right');
  pdf.y += pdf.lineHeight(HEADING);
  pdf.lines(otherLines, LEFT, HEADING);
  if (section.description) pdf.lines(pdf.wrap(section.description, TEXT_WIDTH, SMALL), LEFT, SMALL);
  pdf.y += 6;
  writeColumnNames(pdf);
  for (const item of section.items) writeItem(pdf, item);
  if (!isOnly) writeTotals(pdf, section, 'Section total', null);
  pdf.y += 18;
}

function writeColumnNames(pdf: PdfWriter): void {
  pdf.line('Item', LEFT, SMALL);
  pdf.line('Qty', COLUMNS.quantity, SMALL, 'right');
  pdf.line('Unit price', COLUMNS.unitPrice, SMALL, 'right');
  pdf.line('Total', COLUMNS.total, SMALL, 'right');
  pdf.y += pdf.lineHeight(SMALL) + 3;
  pdf.rule();
  pdf.y += 5;
}

/** On one page, unless its description alone is longer than a page. */
function writeItem(pdf: PdfWriter, item: DocumentLine): void {
  const name = pdf.wrap(item.name, NAME_WIDTH, BODY);
  const description = item.description ? pdf.wrap(item.description, NAME_WIDTH, SMALL) : [];
  const height = name.length * pdf.lineHeight(BODY) + description.length * pdf.lineHeight(SMALL) + 8;
  const page = PAGE.height - PAGE.bottom - PAGE.margin - 40;
  pdf.ensure(Math.min(height, page), () => writeColumnNames(pdf));
  // In the order in which it is read out.
  const [firstLine = '', ...otherLines] = name;
  pdf.line(firstLine, LEFT, BODY);
  pdf.line(item.quantity, COLUMNS.quantity, BODY, 'right');
  pdf.line(item.unit_price, COLUMNS.unitPrice, BODY, 'right');
  pdf.line(item.tax, COLUMNS.unitPrice + 8, SMALL);
  pdf.line(item.total, COLUMNS.total, BODY, 'right');
  pdf.y += pdf.lineHeight(BODY);
  pdf.lines(otherLines, LEFT, BODY);
  pdf.lines(description, LEFT, SMALL);
  pdf.y += 3;
  pdf.rule();
  pdf.y += 5;
}

function writeTotals(pdf: PdfWriter, totals: DocumentTotals, label: string, rounding: string | null, deposit?: string | null): void {
  const rows: [string, string, TextStyle][] = [
    ...(rounding ? [['Rounding', rounding, BODY] satisfies [string, string, TextStyle]] : []),
    ['Subtotal', totals.subtotal, BODY],
    [totals.tax_label, totals.tax, BODY],
    [label, totals.total, STRONG],
    ...(deposit ? [[DEPOSIT_LABEL, deposit, BODY] satisfies [string, string, TextStyle]] : []),
  ];
  pdf.ensure(rows.length * pdf.lineHeight(STRONG) + 4);
  for (const [name, amount, style] of rows) {
    pdf.line(name, LABEL_END, style, 'right');
    pdf.line(amount, COLUMNS.total, style, 'right');
    pdf.y += pdf.lineHeight(style);
  }
}

function writeSummary(pdf: PdfWriter, { summary, deposit }: QuoteDocument): void {
  pdf.ensure(110);
  pdf.rule('#9ca3af');
  pdf.y += 12;
  pdf.line('Summary', LEFT, HEADING);
  writeTotals(pdf, summary, 'Total', summary.rounding, deposit);
}
