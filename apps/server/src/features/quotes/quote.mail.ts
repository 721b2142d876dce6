import { DEPOSIT_LABEL, type QuoteDocument } from '@callout/domain/quotes/quote-document';
import { layOutMail, type Mail, type MailRow, type MailTable } from '../../platform/mail/mail-layout.ts';
import { replyToOf, signatureOf, withoutUrl } from '../company/mail-parts.ts';

export interface QuoteEmailInput {
  readonly recipient: string;
  readonly subject: string;
  /** As a person typed it; the lines of a reminder are ours. */
  readonly body: string;
  /** With what is chosen when the customer opens it. */
  readonly document: QuoteDocument;
  readonly logoUrl: string | null;
  /** The public page. */
  readonly url: string;
}

/** To a customer: what somebody wrote to them, the button, and the quote itself with the figures of its page. */
export function quoteEmail({ recipient, subject, body, document, logoUrl, url }: QuoteEmailInput): Mail {
  const { issuer } = document;
  return layOutMail({
    recipient,
    subject,
    // Whoever has the link can accept the quote.
    secret: true,
    logoUrl,
    ...replyToOf(issuer),
    before: body.split(/\n{2,}/),
    action: { label: 'View your quote', url },
    tables: [headOf(document), ...document.sections.map((section) => sectionTable(document, section)), ...totalTable(document)],
    after: [signatureOf(issuer)],
  });
}

function headOf({ quote_number, title, customer, valid_until, description }: QuoteDocument): MailTable {
  const names = [customer?.company_name, customer?.name].flatMap((name) => withoutUrl(name) ?? []);
  const facts = [
    `Quote #${quote_number}`,
    ...(names.length > 0 ? [`for ${names.join(', ')}`] : []),
    ...(valid_until ? [`valid until ${valid_until}`] : []),
  ];
  return { title, note: [facts.join(' · '), ...(description ? [description] : [])].join('\n'), rows: [] };
}

type Section = QuoteDocument['sections'][number];

function sectionTable({ sections }: QuoteDocument, section: Section): MailTable {
  const isOption = section.choice === 'not-selected';
  const lines: MailRow[] = section.items.map((item) => ({
    label: item.name,
    note: `${item.quantity} × ${item.unit_price} ${item.tax}`,
    amount: item.total,
  }));
  return {
    title: isOption ? `${section.name} (optional)` : section.name,
    note: section.description,
    // The figures of the only section are those of the quote, which follow.
    rows: sections.length === 1 ? lines : [...lines, ...totalRows(section, isOption ? 'Price if added' : 'Section total')],
  };
}

/** The rounding belongs to the sections above: subtotal and tax make up the total. Nothing is chosen yet when every section is an option: there is no total then. */
function totalTable({ sections, summary, deposit }: QuoteDocument): MailTable[] {
  if (sections.every(({ choice }) => choice === 'not-selected')) return [];
  const rounding = summary.rounding ? [{ label: 'Rounding', amount: summary.rounding }] : [];
  const hasOptions = sections.some(({ choice }) => choice === 'not-selected');
  const [subtotal, tax, total] = totalRows(summary, 'Total');
  const onAcceptance = deposit ? [{ label: DEPOSIT_LABEL, amount: deposit }] : [];
  const rows = [...rounding, subtotal, tax, total, ...onAcceptance];
  return [{ title: hasOptions ? 'Your quote, without the options' : 'Your quote', rows }];
}

function totalRows({ subtotal, tax_label, tax, total }: Pick<Section, 'subtotal' | 'tax_label' | 'tax' | 'total'>, label: string) {
  return [
    { label: 'Subtotal', amount: subtotal },
    { label: tax_label, amount: tax },
    { label, amount: total, strong: true },
  ] as const;
}
