import { getReminderDueDate } from '@callout/domain/invoices/invoice';
import { DEFAULT_REMINDER } from '@callout/domain/invoices/invoice-reminder';
import { formatMoney } from '@callout/domain/money/money-format';
import { formatCivilDate } from '@callout/domain/time/date-format';
import type { Mail } from '../../platform/mail/mail-layout.ts';
import { buildDocumentMail, buildHeaderTable, buildLetter, nullIfUrl } from '../documents/document.mail.ts';
import type { MailMessage, MailText } from '../documents/document-kind.ts';
import { buildBankRows, buildPaymentRows, buildTotalRows, formatAmountDue, PAYMENT_REFERENCE_NOTE } from './invoice-format.ts';
import type { SentInvoice } from './invoices.sql.ts';
import type { RenderableInvoice } from './renderable-invoice.ts';

export interface InvoiceMailContent extends MailMessage {
  readonly view: RenderableInvoice;
  readonly logoUrl: string | null;
  /** URL of the public invoice page. */
  readonly url: string;
}

/** The amounts match the public invoice page. */
export function buildInvoiceMail({ view, url, ...content }: InvoiceMailContent): Mail {
  const { document, state, message_due } = view;
  const { job_number, invoice_number, customer, items, issuer } = document;
  const bank = buildBankRows(view);
  const address = nullIfUrl(customer?.address)?.replaceAll(/\s*\n\s*/g, ', ');
  const facts = {
    before: [`Invoice #${job_number}`, ...(invoice_number ? [invoice_number] : [])],
    after: [...(address ? [address] : []), ...(state === 'paid' ? [] : [message_due])],
  };
  const lines = items.map((item) => ({ label: item.name, note: formatLineNote(item), amount: item.total }));
  return buildDocumentMail({
    ...content,
    issuer,
    action: { label: state === 'paid' ? 'View your invoice' : 'View and pay your invoice', url },
    tables: [
      { ...buildHeaderTable(document, facts), rows: lines },
      { title: 'Your invoice', rows: [...buildTotalRows(view), ...buildPaymentRows(view)] },
      ...(bank.length > 0 ? [{ title: 'Pay by bank transfer', note: PAYMENT_REFERENCE_NOTE, rows: bank }] : []),
    ],
  });
}

const formatLineNote = ({ quantity, unit_price, tax, discount }: RenderableInvoice['document']['items'][number]) =>
  [`${quantity} × ${unit_price} ${tax}`, ...(discount ? [discount] : [])].join(' · ');

const formatReplacement = ({ invoice_number, credit_note }: NonNullable<RenderableInvoice['replaces']>) =>
  `This invoice replaces ${invoice_number}${credit_note ? `, which was canceled by credit note ${credit_note}` : ''}.`;

/** Builds a subject such as 'Invoice #J26110391 from Tane Plumbing', and a body with the amount due and the due date. */
export function buildInvoiceMessage(view: RenderableInvoice): MailText {
  const { job_number, title, customer, issuer } = view.document;
  const [company, work] = [nullIfUrl(issuer.company_name), nullIfUrl(title)];
  const when = view.message_due.replace('Due Immediately', 'due immediately').replace(/^Due/, 'due');
  return {
    subject: `${view.replaces ? 'Corrected invoice' : 'Invoice'} #${job_number}${company ? ` from ${company}` : ''}`,
    body: buildLetter(customer?.name, issuer, [
      `Here is your ${view.replaces ? 'corrected ' : ''}invoice${work ? ` for “${work}”` : ''}. It is also attached as a PDF.`,
      ...(view.replaces ? [formatReplacement(view.replaces)] : []),
      view.state === 'paid' ? 'This invoice is paid. Thank you!' : `Please pay ${formatAmountDue(view)} (${when}).`,
    ]),
  };
}

/** The company's reminder texts from Settings. Null means the default text. */
export interface ReminderTemplate {
  readonly subject: string | null;
  readonly body: string | null;
}

/** Replaces all placeholders in one pass, so that braces in a value, such as a name, aren't replaced. Keeps unknown placeholders. */
export function buildInvoiceReminder(
  { document, request }: Pick<RenderableInvoice, 'document' | 'request'>,
  invoice: Pick<SentInvoice, 'issued_on' | 'due_on' | 'late_after' | 'sent_on'>,
  { subject, body }: ReminderTemplate,
): MailText {
  const { customer, invoice_number, job_number, issuer, currency } = document;
  const values = new Map([
    ['customer', nullIfUrl(customer?.name) ?? nullIfUrl(customer?.company_name) ?? 'Customer'],
    ['number', invoice_number ?? `#${job_number}`],
    ['amount', formatMoney(request.amount, currency)],
    ['due', formatCivilDate(getReminderDueDate(invoice))],
    ['company', nullIfUrl(issuer.company_name) ?? 'us'],
  ]);
  const fill = (text: string) => text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values.get(name) ?? placeholder);
  return { subject: fill(subject ?? DEFAULT_REMINDER.subject), body: fill(body ?? DEFAULT_REMINDER.body) };
}
