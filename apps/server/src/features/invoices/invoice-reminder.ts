import { USUAL_REMINDER } from '@callout/domain/invoices/invoice-reminder';
import { formatMoney } from '@callout/domain/money/money-text';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { withoutUrl } from '../company/mail-parts.ts';
import type { Letter } from './invoice.mail.ts';
import type { InvoiceView } from './invoice-view.ts';
import type { SentInvoice } from './invoices.sql.ts';

/** The firm's own words, from Settings; null for the usual ones. */
export interface ReminderWording {
  readonly subject: string | null;
  readonly body: string | null;
}

/** Plain text: what is filled in is never markup, and never read as a placeholder itself. What is no placeholder stays as it was typed. */
export function reminderLetter(
  { document, request }: Pick<InvoiceView, 'document' | 'request'>,
  { due_on, late_after }: Pick<SentInvoice, 'due_on' | 'late_after'>,
  { subject, body }: ReminderWording,
): Letter {
  const { customer, invoice_number, job_number, issuer, currency } = document;
  const values = new Map([
    ['customer', withoutUrl(customer?.name) ?? withoutUrl(customer?.company_name) ?? 'Customer'],
    ['number', invoice_number ?? `#${job_number}`],
    ['amount', formatMoney(request.amount, currency)],
    ['due', formatCivilDate(due_on ?? late_after)],
    ['company', withoutUrl(issuer.company_name) ?? 'us'],
  ]);
  const fill = (text: string) => text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values.get(name) ?? placeholder);
  return { subject: fill(subject ?? USUAL_REMINDER.subject), body: fill(body ?? USUAL_REMINDER.body) };
}
