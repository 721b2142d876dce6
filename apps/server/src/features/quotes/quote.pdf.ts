import { DEPOSIT_LABEL, type DocumentSection, type QuoteDocument } from '@callout/domain/quotes/quote-document';
import {
  HEADING_STYLE,
  LEFT_X,
  RIGHT_X,
  SMALL_STYLE,
  STRONG_STYLE,
  TITLE_STYLE,
  writeAmounts,
  writeHeader,
  writeLineItem,
  writeLineTableHeader,
  writeTotals,
} from '../../platform/pdf/document-parts.ts';
import { createPdfWriter, type PdfWriter, TEXT_WIDTH } from '../../platform/pdf/pdf-writer.ts';

export interface QuotePdfInput {
  readonly document: QuoteDocument;
  /** The logo as PNG bytes. */
  readonly logo: Uint8Array | null;
  /** A line such as 'Accepted by Helen Faleolo on Nov 16, 2026'; null if the quote isn't accepted. */
  readonly accepted: string | null;
  /** A warning that the accepted copy doesn't match its hash; null if it does. */
  readonly warning: string | null;
}

/** Renders the quote as an A4 PDF with the same labels and amounts as the public page. */
export function renderQuotePdf({ document, logo, accepted, warning }: QuotePdfInput): Promise<Uint8Array> {
  const company = document.issuer.company_name ?? '';
  const pdf = createPdfWriter({ title: `Quote ${document.quote_number}`, author: company });
  writeQuoteHeader(pdf, document, logo);
  if (accepted) {
    pdf.writeLines(pdf.wrapText(accepted, TEXT_WIDTH, STRONG_STYLE), LEFT_X, { ...STRONG_STYLE, color: '#0f766e' });
    if (warning) pdf.writeLines(pdf.wrapText(warning, TEXT_WIDTH, STRONG_STYLE), LEFT_X, { ...STRONG_STYLE, color: '#b91c1c' });
    pdf.y += 12;
  }
  // An accepted quote prints only the accepted sections.
  const sections = accepted ? document.sections.filter(({ choice }) => choice !== 'not-selected') : document.sections;
  const hasChoice = sections.some(({ choice }) => choice !== 'required');
  for (const section of sections)
    writeSection(pdf, section, {
      hasChoice,
      isOnlySection: sections.length === 1,
      isAccepted: accepted !== null,
      hasTax: document.has_section_tax ?? true,
    });
  if (sections.some(({ choice }) => choice !== 'not-selected')) writeSummary(pdf, document);
  const name = [`Quote ${document.quote_number}`, ...(company ? [company] : [])].join(' · ');
  return pdf.finish(name);
}

function writeQuoteHeader(pdf: PdfWriter, document: QuoteDocument, logo: Uint8Array | null): void {
  const { issuer, customer, quote_number, title, description, created, valid_until } = document;
  writeHeader(pdf, {
    logo,
    facts: [
      [`Quote ${quote_number}`, TITLE_STYLE],
      [`Created ${created}`, SMALL_STYLE],
      [valid_until && `Valid until ${valid_until}`, SMALL_STYLE],
    ],
    from: [issuer.company_name, issuer.address, issuer.phone, issuer.email],
    to: customer && [customer.company_name ?? customer.name, customer.company_name ? customer.name : null],
    title,
    description,
  });
}

interface SectionLayout {
  readonly hasChoice: boolean;
  readonly isOnlySection: boolean;
  readonly isAccepted: boolean;
  readonly hasTax: boolean;
}

/** The public page's labels for an open quote. An accepted one prints only its accepted sections, without labels. */
const CHOICE_LABELS: Record<DocumentSection['choice'], string> = {
  required: 'Required',
  selected: 'Selected',
  'not-selected': 'Optional',
};

function writeSection(pdf: PdfWriter, section: DocumentSection, { hasChoice, isOnlySection, isAccepted, hasTax }: SectionLayout): void {
  const choice = hasChoice && !isAccepted && !isOnlySection ? CHOICE_LABELS[section.choice] : null;
  const name = pdf.wrapText(section.name, TEXT_WIDTH - 120, HEADING_STYLE);
  // Keep the heading on the same page as the section's first lines.
  pdf.ensureSpace(name.length * pdf.getLineHeight(HEADING_STYLE) + 80);
  const [firstLine = '', ...otherLines] = name;
  pdf.drawText(firstLine, LEFT_X, HEADING_STYLE);
  if (choice) pdf.drawText(choice, RIGHT_X, SMALL_STYLE, 'right');
  pdf.y += pdf.getLineHeight(HEADING_STYLE);
  pdf.writeLines(otherLines, LEFT_X, HEADING_STYLE);
  if (section.description) pdf.writeLines(pdf.wrapText(section.description, TEXT_WIDTH, SMALL_STYLE), LEFT_X, SMALL_STYLE);
  pdf.y += 6;
  writeLineTableHeader(pdf);
  for (const item of section.items) writeLineItem(pdf, item);
  if (!isOnlySection && hasTax) writeTotals(pdf, section, 'Section total', null);
  if (!isOnlySection && !hasTax) writeAmounts(pdf, [{ label: 'Section total inc GST', amount: section.total, strong: true }]);
  pdf.y += 18;
}

function writeSummary(pdf: PdfWriter, { summary, deposit }: QuoteDocument): void {
  pdf.ensureSpace(110);
  pdf.drawRule('#9ca3af');
  pdf.y += 12;
  pdf.drawText('Summary', LEFT_X, HEADING_STYLE);
  writeTotals(pdf, summary, 'Total', summary.rounding);
  if (deposit) writeAmounts(pdf, [{ label: DEPOSIT_LABEL, amount: deposit }]);
}
