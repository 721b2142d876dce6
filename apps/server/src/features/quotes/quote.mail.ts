import { DEPOSIT_LABEL, type DocumentSection, type QuoteDocument } from '@callout/domain/quotes/quote-document';
import { type Mail, type MailRow, type MailTable, renderMail } from '../../platform/mail/mail-layout.ts';
import { buildReplyTo, formatSignature, nullIfUrl } from '../company/customer-mail-parts.ts';

export interface QuoteMailContent {
  readonly recipient: string;
  readonly subject: string;
  readonly body: string;
  /** The quote with the sections that the public page selects initially. */
  readonly document: QuoteDocument;
  readonly logoUrl: string | null;
  /** URL of the public quote page. */
  readonly url: string;
}

/** Builds an email with the sender's message, a button and the quote. The amounts match the public quote page. */
export function buildQuoteMail({ recipient, subject, body, document, logoUrl, url }: QuoteMailContent): Mail {
  const { issuer } = document;
  return renderMail({
    recipient,
    subject,
    // Anyone who has the link can accept the quote, so the email's text is deleted once it has been sent.
    hasSecretLink: true,
    logoUrl,
    ...buildReplyTo(issuer),
    intro: body.split(/\n{2,}/),
    action: { label: 'View your quote', url },
    tables: [
      buildHeaderTable(document),
      ...document.sections.map((section) => buildSectionTable(document, section)),
      ...buildTotalTables(document),
    ],
    closing: [formatSignature(issuer)],
  });
}

function buildHeaderTable({ quote_number, title, customer, valid_until, description }: QuoteDocument): MailTable {
  const names = [customer?.company_name, customer?.name].flatMap((name) => nullIfUrl(name) ?? []);
  const facts = [
    `Quote #${quote_number}`,
    ...(names.length > 0 ? [`for ${names.join(', ')}`] : []),
    ...(valid_until ? [`valid until ${valid_until}`] : []),
  ];
  return { title, note: [facts.join(' · '), ...(description ? [description] : [])].join('\n'), rows: [] };
}

function buildSectionTable({ sections }: QuoteDocument, section: DocumentSection): MailTable {
  const isOption = section.choice === 'not-selected';
  const lines = section.items.map(
    ({ name, quantity, unit_price, tax, total }): MailRow => ({ label: name, note: `${quantity} × ${unit_price} ${tax}`, amount: total }),
  );
  return {
    title: isOption ? `${section.name} (optional)` : section.name,
    note: section.description,
    // A single section needs no totals, because they would equal the quote's totals below.
    rows: sections.length === 1 ? lines : [...lines, ...buildTotalRows(section, isOption ? 'Price if added' : 'Section total')],
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
