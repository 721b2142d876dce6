import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publishChange } from '../../platform/live/live.ts';
import { type DeliveryChange, recordMailDelivery } from '../../platform/mail/mail-record.ts';
import type { MailReport } from '../../platform/mail/outbox.sql.ts';
import { recordEvent } from '../history/history.sql.ts';
import type { FieldChanges } from '../history/history.table.ts';
import { jobRecordType, lockJob } from '../jobs/jobs.sql.ts';
import { notifyUndeliveredMail } from '../notifications/notifications.sql.ts';
import { findInvoiceMailByOutboxId, type InvoiceMailRow } from './invoice-mails.sql.ts';
import { findInvoice } from './invoices.sql.ts';
import { invoice_mails } from './invoices.table.ts';
import { markJobInvoiced } from './issue-invoice.ts';
import { recordInvoiceDeliveryTask, recordInvoiceMailEvent } from './send-invoice.ts';

/** Stores the delivery status for the payment page. A failed email notifies its sender once, and the invoice stays issued. */
export const recordInvoiceMailDelivery = (platform: Pick<Platform, 'pools' | 'now'>, report: MailReport) =>
  recordMailDelivery(platform, recordInvoiceDeliveryTask, report, {
    table: invoice_mails,
    find: findInvoiceMailByOutboxId,
    lock: (scope, { job_id }) => lockJob(scope, job_id),
    applyChange: applyDeliveryChange,
  });

async function applyDeliveryChange(scope: TenantScope, mail: InvoiceMailRow, change: DeliveryChange | null): Promise<void> {
  await publishChange(scope, 'invoices');
  const invoice = change && (await findInvoice(scope, mail.invoice_id));
  if (!invoice) return;
  const { job_id, job_number, invoice_number, customer_name } = invoice;
  const { recipient } = mail;
  const about = { invoice_number: [null, invoice_number], recipient: [null, recipient] } satisfies FieldChanges;
  if (mail.kind === 'reminder' && change.status === 'sent') await recordEvent(scope, 'job', job_id, 'reminded', about);
  if (change.isRestarted && mail.kind === 'invoice') {
    await recordInvoiceMailEvent(scope, { ...invoice, recipient });
    await markJobInvoiced(scope, await readRecord(scope, jobRecordType, job_id));
  }
  if (!change.hasFailed) return;
  const { problem } = change;
  await recordEvent(scope, 'job', job_id, 'mail-failed', { ...about, problem: [null, problem] });
  const description = `${mail.kind === 'invoice' ? 'Your invoice' : 'The reminder for your invoice'} #${job_number} to ${customer_name}`;
  await notifyUndeliveredMail(scope, mail.user_id, { description, problem, data: { job_id } });
}
