import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publishChange } from '../../platform/live/live.ts';
import { type DeliveryChange, recordMailDelivery } from '../../platform/mail/mail-record.ts';
import type { MailReport } from '../../platform/mail/outbox.sql.ts';
import { recordEvent } from '../history/history.sql.ts';
import type { FieldChanges } from '../history/history.table.ts';
import { lockJob } from '../jobs/jobs.sql.ts';
import { notifyUndeliveredMail } from '../notifications/notifications.sql.ts';
import { findInvoiceMailByOutboxId, hasQueuedOrDeliveredMail, type InvoiceMailRow } from './invoice-mails.sql.ts';
import { findInvoice, type SentInvoice } from './invoices.sql.ts';
import { invoice_mails } from './invoices.table.ts';
import { markInvoiceNotSent, markInvoiceSent } from './issue-invoice.ts';
import { recordInvoiceDeliveryTask, recordInvoiceMailEvent } from './send-invoice.ts';

/** Stores the delivery status for the payment page. A failed email notifies its sender once: the invoice stays issued, but isn't sent. */
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
    await markInvoiceSent(scope, invoice);
  }
  if (change.isStopped && mail.kind === 'invoice') await revertToUnsent(scope, invoice);
  if (!change.hasFailed) return;
  const { problem } = change;
  await recordEvent(scope, 'job', job_id, 'mail-failed', { ...about, problem: [null, problem] });
  const description = `${mail.kind === 'invoice' ? 'Your invoice' : 'The reminder for your invoice'} #${job_number} to ${customer_name}`;
  await notifyUndeliveredMail(scope, mail.user_id, { description, problem, data: { job_id } });
}

/** Marks the open invoice as not sent, unless another email was delivered or is queued, or someone handed it over. */
async function revertToUnsent(scope: TenantScope, invoice: SentInvoice): Promise<void> {
  if (invoice.state !== 'open' || invoice.handed_over_by !== null) return;
  if (!(await hasQueuedOrDeliveredMail(scope, invoice.id))) await markInvoiceNotSent(scope, invoice);
}
