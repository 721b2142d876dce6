import { toLocalDate } from '@callout/domain/time/zoned-time';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { listRecordsDueForReminder, REMINDER_EXPIRY_DAYS, type ReminderQuery } from '../../platform/mail/reminders.sql.ts';
import { readTimezone } from '../company/company.sql.ts';
import { companies } from '../company/company.table.ts';
import type { ReminderTemplate } from './invoice-reminder-message.ts';

/** The date on which the reminder is sent, in the company's time zone. Counts from the same date as `getReminderDueDate`. */
const reminderDate = sql`(greatest(r.late_after + greatest(r.sent_on - r.issued_on, 0), r.due_on) + c.invoice_reminder_days)`;

/**
 * `c` is the company and `r` the invoice. Compares UTC dates with a day to spare, because PostgreSQL doesn't know all of JavaScript's time
 * zones, and an unknown zone would fail the query for all companies. `isInvoiceReminderDue` checks the exact date before sending.
 */
const buildDueCondition = (now: string) => sql`c.invoice_reminder_days is not null and c.deletes_at is null and r.balance > 0
  and r.sent_at is not null
  and ${reminderDate} <= (${now}::timestamptz at time zone 'UTC')::date + 1
  and ${reminderDate} >= (${now}::timestamptz at time zone 'UTC')::date - ${REMINDER_EXPIRY_DAYS}::int
  and ${reminderDate} >= (c.invoice_reminders_since at time zone 'UTC')::date - 1
  and exists (select from customers p where p.company_id = r.company_id and p.id = r.customer_id and p.email <> '')
  and not exists (select from invoice_mails m where m.company_id = r.company_id and m.invoice_id = r.id and m.kind = 'reminder')`;

export const listInvoicesDueForReminder = (pool: pg.Pool, page: ReminderQuery) =>
  listRecordsDueForReminder(pool, { table: 'invoices', isDue: buildDueCondition(page.now) }, page);

/** Checks the reminder date in the company's time zone. Returns false if reminders were turned on after the reminder date. */
export async function isInvoiceReminderDue(scope: TenantScope, id: string): Promise<boolean> {
  const { rows } = await scope.db.execute<{ day: string; since: string }>(
    sql`select ${reminderDate}::text as day, to_char(c.invoice_reminders_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as since
      from companies c join invoices r on r.company_id = c.company_id
      where r.company_id = ${scope.companyId} and r.id = ${id} and ${buildDueCondition(scope.now)}`,
  );
  const [found] = rows;
  if (!found) return false;
  const timezone = await readTimezone(scope);
  return found.day <= toLocalDate(scope.now, timezone) && found.day >= toLocalDate(found.since, timezone);
}

export async function readReminderTemplate(scope: TenantScope): Promise<ReminderTemplate> {
  const { invoice_reminder_subject: subject, invoice_reminder_body: body } = companies;
  const [wording] = await scope.db.select({ subject, body }).from(companies).where(inCompany(scope, companies));
  return wording ?? { subject: null, body: null };
}
