import { getReminderDueDate } from '@callout/domain/invoices/invoice';
import { DEFAULT_REMINDER } from '@callout/domain/invoices/invoice-reminder';
import { formatMoney } from '@callout/domain/money/money-format';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { nullIfUrl } from '../company/customer-mail-parts.ts';
import type { InvoiceMessage } from './invoice.mail.ts';
import type { SentInvoice } from './invoices.sql.ts';
import type { RenderableInvoice } from './renderable-invoice.ts';

/** The company's reminder texts from Settings. Null means the default text. */
export interface ReminderTemplate {
  readonly subject: string | null;
  readonly body: string | null;
}

/** Replaces all placeholders in one pass, so that braces in a value, such as a name, aren't replaced. Keeps unknown placeholders. */
export function buildReminderMessage(
  { document, request }: Pick<RenderableInvoice, 'document' | 'request'>,
  invoice: Pick<SentInvoice, 'issued_on' | 'due_on' | 'late_after' | 'sent_on'>,
  { subject, body }: ReminderTemplate,
): InvoiceMessage {
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
