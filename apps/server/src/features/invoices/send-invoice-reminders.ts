import { randomUUID } from 'node:crypto';
import { runTenantTransaction } from '../../platform/db/tenant-scope.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { countAutomaticMail } from '../../platform/limits/mail-limits.ts';
import { publishChange } from '../../platform/live/live.ts';
import type { RecordDueForReminder } from '../../platform/mail/reminders.sql.ts';
import { queueReminders, type ReminderContext } from '../../platform/mail/reminders.ts';
import { defineTask, mintTaskTenant } from '../../platform/queue/task.ts';
import { lockJob } from '../jobs/jobs.sql.ts';
import { INVOICE_REMINDER_LIMITS } from './invoice-mail-limits.ts';
import { findCustomerEmail, insertInvoiceMail } from './invoice-mails.sql.ts';
import { buildReminderMessage } from './invoice-reminder-message.ts';
import { isInvoiceReminderDue, listInvoicesDueForReminder, readReminderTemplate } from './invoice-reminders.sql.ts';
import { findInvoice } from './invoices.sql.ts';
import { readRenderableInvoice } from './renderable-invoice.ts';
import { queueInvoiceMail } from './send-invoice.ts';

export const sendInvoiceReminderTask = defineTask<RecordDueForReminder>('remind-invoice');

export const queueInvoiceReminders = (run: ReminderContext) => queueReminders(run, sendInvoiceReminderTask, listInvoicesDueForReminder);

/** Sends at most one reminder per invoice. Repeats all checks under the job's lock, because the invoice may have just been paid. */
export async function sendInvoiceReminder(
  { pools, now, appUrl }: Pick<Platform, 'pools' | 'now' | 'appUrl'>,
  { company_id, id }: RecordDueForReminder,
): Promise<void> {
  const tenant = mintTaskTenant(sendInvoiceReminderTask.name, company_id, now().toISOString());
  await runTenantTransaction(pools.app, tenant, async (scope) => {
    const found = await findInvoice(scope, id);
    if (!found) return;
    await lockJob(scope, found.job_id);
    const [invoice, recipient] = [await findInvoice(scope, id), await findCustomerEmail(scope, id)];
    if (!invoice || !recipient || !(await isInvoiceReminderDue(scope, id))) return;
    const view = await readRenderableInvoice(scope, id);
    if (view.state !== 'open') return;
    if (!(await countAutomaticMail(pools.system, INVOICE_REMINDER_LIMITS, company_id, recipient))) return;
    const message = { recipient, ...buildReminderMessage(view, invoice, await readReminderTemplate(scope)) };
    const mail_id = await queueInvoiceMail(scope, { appUrl }, { invoice, view, message });
    await insertInvoiceMail(scope, { id: randomUUID(), invoice_id: id, kind: 'reminder', mail_id, status: 'queued', ...message });
    await publishChange(scope, 'invoices');
  });
}
