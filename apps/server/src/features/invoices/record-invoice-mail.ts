import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publishChange } from '../../platform/live/live.ts';
import { type DeliveryChange, recordDelivery } from '../../platform/mail/mail-record.ts';
import type { MailReport } from '../../platform/mail/outbox.sql.ts';
import { recordEvent } from '../history/history.sql.ts';
import type { Changes } from '../history/history.table.ts';
import { jobRecord, lockJob } from '../jobs/jobs.sql.ts';
import { notifyUndelivered } from '../notifications/notifications.sql.ts';
import { findByOutboxMail, type InvoiceMailRow } from './invoice-mails.sql.ts';
import { findInvoice } from './invoices.sql.ts';
import { invoice_mails } from './invoices.table.ts';
import { markInvoiced } from './issue-invoice.ts';
import { recordInvoiceDelivery, recordMailed } from './send-invoice.ts';

/** Shows on the payment page what became of a mail. Its sender is told once that nobody received it; the invoice stays issued. */
export const recordInvoiceMail = (platform: Pick<Platform, 'pools' | 'now'>, report: MailReport) =>
  recordDelivery(platform, recordInvoiceDelivery, report, {
    table: invoice_mails,
    find: findByOutboxMail,
    lock: (scope, { job_id }) => lockJob(scope, job_id),
    show: showDelivery,
  });

async function showDelivery(scope: TenantScope, mail: InvoiceMailRow, change: DeliveryChange | null): Promise<void> {
  await publishChange(scope, 'invoices');
  const invoice = change && (await findInvoice(scope, mail.invoice_id));
  if (!invoice) return;
  const { job_id, job_number, invoice_number, customer_name } = invoice;
  const { recipient } = mail;
  const about = { invoice_number: [null, invoice_number], recipient: [null, recipient] } satisfies Changes;
  if (mail.kind === 'reminder' && change.status === 'sent') await recordEvent(scope, 'job', job_id, 'reminded', about);
  if (change.isRestarted && mail.kind === 'invoice') {
    await recordMailed(scope, { ...invoice, recipient });
    await markInvoiced(scope, await readRecord(scope, jobRecord, job_id));
  }
  if (!change.hasFailed) return;
  const { problem } = change;
  await recordEvent(scope, 'job', job_id, 'mail-failed', { ...about, problem: [null, problem] });
  const what = `${mail.kind === 'invoice' ? 'Your invoice' : 'The reminder of your invoice'} #${job_number} to ${customer_name}`;
  await notifyUndelivered(scope, mail.user_id, { what, problem, data: { job_id } });
}
