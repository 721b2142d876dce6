import type { Quote } from '@callout/contract/quotes';
import { DEPOSIT_LABEL, type DocumentSection, type QuoteDocument } from '@callout/domain/quotes/quote-document';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import type { Mail, MailRow, MailTable } from '../../platform/mail/mail-layout.ts';
import type { Issuer } from '../company/company.sql.ts';
import { buildDocumentMail, buildHeaderTable, buildLetter, nullIfUrl } from '../documents/document.mail.ts';
import type { MailMessage, MailText } from '../documents/document-kind.ts';

export interface QuoteMailContent extends MailMessage {
  /** The quote with the sections that the public page selects initially. */
  readonly document: QuoteDocument;
  readonly logoUrl: string | null;
  /** URL of the public quote page. */
  readonly url: string;
}

/** The amounts match the public quote page. */
export function buildQuoteMail({ document, url, ...content }: QuoteMailContent): Mail {
  const { quote_number, issuer, sections, valid_until } = document;
  const facts = { before: [`Quote #${quote_number}`], after: valid_until ? [`valid until ${valid_until}`] : [] };
  return buildDocumentMail({
    ...content,
    issuer,
    action: { label: 'View your quote', url },
    tables: [
      { ...buildHeaderTable(document, facts), rows: [] },
      ...sections.map((section) => buildSectionTable(document, section)),
      ...buildTotalTables(document),
    ],
  });
}

export function buildQuoteReminder({ quote_number, title, sent_at, valid_until, customer }: Quote, { issuer, timezone }: Issuer): MailText {
  const company = nullIfUrl(issuer.company_name);
  const sentOn = sent_at ? ` on ${formatCivilDate(toLocalDate(sent_at, timezone))}` : '';
  return {
    subject: `Reminder: quote ${quote_number}${company ? ` from ${company}` : ''}`,
    body: buildLetter(customer?.name, issuer, [
      `We sent you a quote for “${title}”${sentOn}. Have you had a chance to look at it?`,
      `You can accept or decline it online${valid_until ? ` until ${formatCivilDate(valid_until)}` : ''}.`,
    ]),
  };
}

function buildSectionTable({ sections, has_section_tax = true }: QuoteDocument, section: DocumentSection): MailTable {
  const isOption = section.choice === 'not-selected';
  const lines = section.items.map(
    ({ name, quantity, unit_price, tax, total }): MailRow => ({ label: name, note: `${quantity} × ${unit_price} ${tax}`, amount: total }),
  );
  const label = isOption ? 'Price if added' : 'Section total';
  const totals = buildTotalRows(section, has_section_tax ? label : `${label} inc GST`);
  return {
    title: isOption ? `${section.name} (optional)` : section.name,
    note: section.description,
    // A single section needs no totals, because they would equal the quote's totals below.
    rows: sections.length === 1 ? lines : [...lines, ...(has_section_tax ? totals : totals.slice(-1))],
  };
}

/** Returns no tables if nothing is selected. Rounding comes first, because it explains the difference from the section totals. */
function buildTotalTables({ sections, summary, deposit }: QuoteDocument): MailTable[] {
  if (sections.every(({ choice }) => choice === 'not-selected')) return [];
  const rounding = summary.rounding ? [{ label: 'Rounding', amount: summary.rounding }] : [];
  const hasOptions = sections.some(({ choice }) => choice === 'not-selected');
  const [subtotal, tax, total] = buildTotalRows(summary, 'Total');
  const onAcceptance = deposit ? [{ label: DEPOSIT_LABEL, amount: deposit }] : [];
  const rows = [...rounding, subtotal, tax, total, ...onAcceptance];
  return [{ title: hasOptions ? 'Your quote without optional sections' : 'Your quote', rows }];
}

function buildTotalRows(
  { subtotal, tax_label, tax, total }: Pick<DocumentSection, 'subtotal' | 'tax_label' | 'tax' | 'total'>,
  label: string,
) {
  return [
    { label: 'Subtotal', amount: subtotal },
    { label: tax_label, amount: tax },
    { label, amount: total, strong: true },
  ] as const;
}
