import type { InvoiceMail } from '@callout/contract/invoices';
import type { MailStatus } from '@callout/domain/mail/mail';
import { readRecord } from '../../platform/db/records.ts';
import { changeAs, type TenantScope } from '../../platform/db/tenant-scope.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publishChange } from '../../platform/live/live.ts';
import { type MailReport, readMailState } from '../../platform/mail/outbox.sql.ts';
import { tenantOfTask } from '../../platform/queue/task.ts';
import { recordEvent } from '../history/history.sql.ts';
import { jobRecord, lockJob } from '../jobs/jobs.sql.ts';
import { adminsOf, notifyPeople } from '../notifications/notifications.sql.ts';
import { deleteInvoiceMail, findByOutboxMail, type InvoiceMailRow, saveInvoiceDelivery } from './invoice-mails.sql.ts';
import { findInvoice, type SentInvoice } from './invoices.sql.ts';
import { markInvoiced } from './issue-invoice.ts';
import { recordInvoiceDelivery, recordMailed } from './send-invoice.ts';

const STATUSES: Record<MailStatus, InvoiceMail['status']> = { waiting: 'queued', sent: 'sent', failed: 'failed', kept: 'kept' };

/** Shows on the payment page what became of a mail. Its sender is told once that nobody received it; the invoice stays issued. */
export async function recordInvoiceMail(
  { pools, now }: Pick<Platform, 'pools' | 'now'>,
  { mail_id, company_id }: MailReport,
): Promise<void> {
  if (!company_id) return;
  const tenant = tenantOfTask(recordInvoiceDelivery.name, company_id, now().toISOString());
  await changeAs(pools.app, tenant, async (scope) => {
    const found = await findByOutboxMail(scope, mail_id);
    if (!found) return;
    // Read under the lock: otherwise a report that read an earlier state could be the last to save.
    await lockJob(scope, found.job_id);
    const [state, before] = [await readMailState(pools.system, mail_id), await findByOutboxMail(scope, mail_id)];
    if (!before) return;
    if (state) await recordState(scope, before, { status: STATUSES[state.status], problem: state.problem });
    // Withdrawn before it was sent: a corrected invoice, a credit note or the payment was faster.
    else await deleteInvoiceMail(scope, before.id);
    await publishChange(scope, 'invoices');
  });
}

async function recordState(scope: TenantScope, before: InvoiceMailRow, state: Pick<InvoiceMailRow, 'status' | 'problem'>): Promise<void> {
  if (before.status === state.status && before.problem === state.problem) return;
  const wasIdle = before.status === 'failed' || before.status === 'kept';
  // The administrator sends it from the outbox: that is a new attempt.
  const isRestarted = wasIdle && (state.status === 'queued' || state.status === 'sent');
  await saveInvoiceDelivery(scope, before.id, {
    ...state,
    ...(isRestarted && { queued_at: scope.now }),
    ...(state.status === 'sent' && { sent_at: scope.now }),
  });
  const invoice = await findInvoice(scope, before.invoice_id);
  if (!invoice) return;
  const about = { ...invoice, recipient: before.recipient };
  if (before.kind === 'reminder' && state.status === 'sent') {
    const changes = { invoice_number: [null, invoice.invoice_number], recipient: [null, before.recipient] } satisfies Parameters<
      typeof recordEvent
    >[4];
    await recordEvent(scope, 'job', invoice.job_id, 'reminded', changes);
  }
  if (isRestarted && before.kind === 'invoice') {
    await recordMailed(scope, about);
    await markInvoiced(scope, await readRecord(scope, jobRecord, invoice.job_id));
  }
  if (state.status === 'failed' && before.status !== 'failed') await tellFailure(scope, before, invoice, state.problem);
}

async function tellFailure(scope: TenantScope, mail: InvoiceMailRow, invoice: SentInvoice, problem: string | null): Promise<void> {
  const { job_id, job_number, invoice_number, customer_name } = invoice;
  await recordEvent(scope, 'job', job_id, 'mail-failed', {
    invoice_number: [null, invoice_number],
    recipient: [null, mail.recipient],
    problem: [null, problem],
  });
  const what = mail.kind === 'invoice' ? 'Your invoice' : 'The reminder of your invoice';
  await notifyPeople(scope, mail.user_id ? [mail.user_id] : await adminsOf(scope), {
    message: `${what} #${job_number} to ${customer_name} couldn't be delivered. ${problem ?? ''}`.trim(),
    type: 'error',
    data: { job_id },
  });
}
