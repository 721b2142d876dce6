import { randomUUID } from 'node:crypto';
import { changeAs } from '../../platform/db/tenant-scope.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { countAutomaticMail } from '../../platform/limits/mail-limits.ts';
import { publishChange } from '../../platform/live/live.ts';
import type { DueRecord } from '../../platform/mail/reminders.sql.ts';
import { queueReminders, type ReminderRun } from '../../platform/mail/reminders.ts';
import { defineTask, tenantOfTask } from '../../platform/queue/task.ts';
import { lockJob } from '../jobs/jobs.sql.ts';
import { INVOICE_REMINDERS } from './invoice-mail-limits.ts';
import { findBilledEmail, insertInvoiceMail } from './invoice-mails.sql.ts';
import { reminderLetter } from './invoice-reminder.ts';
import { isReminderDue, listDueInvoices, readReminderWording } from './invoice-reminders.sql.ts';
import { readViewOfInvoice } from './invoice-view.ts';
import { findInvoice } from './invoices.sql.ts';
import { queueInvoiceMail } from './send-invoice.ts';

export const remindInvoice = defineTask<DueRecord>('remind-invoice');

/** Queues a reminder for every invoice that is overdue. */
export const remindInvoices = (run: ReminderRun) => queueReminders(run, remindInvoice, listDueInvoices);

/** Mails the customer once per invoice, ever. Everything is checked again under the job's lock: it may have been paid since. */
export async function mailInvoiceReminder(
  { pools, now, appUrl }: Pick<Platform, 'pools' | 'now' | 'appUrl'>,
  { company_id, id }: DueRecord,
): Promise<void> {
  const tenant = tenantOfTask(remindInvoice.name, company_id, now().toISOString());
  await changeAs(pools.app, tenant, async (scope) => {
    const found = await findInvoice(scope, id);
    if (!found) return;
    await lockJob(scope, found.job_id);
    const [invoice, recipient] = [await findInvoice(scope, id), await findBilledEmail(scope, id)];
    if (!invoice || !recipient || !(await isReminderDue(scope, invoice))) return;
    const view = await readViewOfInvoice(scope, id);
    if (view.state !== 'open') return;
    if (!(await countAutomaticMail(pools.system, INVOICE_REMINDERS, company_id, recipient))) return;
    const letter = { recipient, ...reminderLetter(view, invoice, await readReminderWording(scope)) };
    const mail_id = await queueInvoiceMail(scope, { appUrl }, { invoice, view, letter });
    await insertInvoiceMail(scope, { id: randomUUID(), invoice_id: id, kind: 'reminder', mail_id, status: 'queued', ...letter });
    await publishChange(scope, 'invoices');
  });
}
