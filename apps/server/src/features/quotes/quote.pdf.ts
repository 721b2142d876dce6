import { DEPOSIT_LABEL, type DocumentSection, type QuoteDocument } from '@callout/domain/quotes/quote-document';
import {
  BODY,
  HEADING,
  LEFT,
  RIGHT,
  SMALL,
  STRONG,
  SUBJECT,
  TITLE,
  writeLine,
  writeLineColumns,
  writeParties,
  writeRows,
  writeTotals,
} from '../../platform/pdf/document-parts.ts';
import { createPdfWriter, type PdfWriter, TEXT_WIDTH } from '../../platform/pdf/pdf-writer.ts';

export interface QuotePdfInput {
  readonly document: QuoteDocument;
  /** PNG. */
  readonly logo: Uint8Array | null;
  /** Of the kept copy: 'Accepted by Helen Faleolo on Nov 16, 2026'. */
  readonly accepted: string | null;
  /** Says that the kept copy is not what was kept. */
  readonly warning: string | null;
}

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
  return pdf.finish(name);
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
  const from = [issuer.company_name, issuer.address, issuer.phone, issuer.email];
  const to = customer && [customer.company_name ?? customer.name, customer.company_name ? customer.name : null];
  writeParties(pdf, from, to);
  pdf.rule();
  pdf.y += 14;
  pdf.lines(pdf.wrap(title, TEXT_WIDTH, SUBJECT), LEFT, SUBJECT);
  if (description) pdf.lines(pdf.wrap(description, TEXT_WIDTH, BODY), LEFT, BODY);
  pdf.y += 16;
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
  writeLineColumns(pdf);
  for (const item of section.items) writeLine(pdf, item);
  if (!isOnly) writeTotals(pdf, section, 'Section total', null);
  pdf.y += 18;
}

function writeSummary(pdf: PdfWriter, { summary, deposit }: QuoteDocument): void {
  pdf.ensure(110);
  pdf.rule('#9ca3af');
  pdf.y += 12;
  pdf.line('Summary', LEFT, HEADING);
  writeTotals(pdf, summary, 'Total', summary.rounding);
  if (deposit) writeRows(pdf, [{ label: DEPOSIT_LABEL, amount: deposit }]);
}
