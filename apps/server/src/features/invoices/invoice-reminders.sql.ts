import { addDays, localDate } from '@callout/domain/time/zoned-time';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { type DuePage, LATEST_DAYS, listDueRecords } from '../../platform/mail/reminders.sql.ts';
import { readTimezone } from '../company/company.sql.ts';
import { companies } from '../company/company.table.ts';
import type { ReminderWording } from './invoice-reminder.ts';

/** The day on which the reminder of an invoice is due, in the company's time zone: never before the day that is printed as due. */
const reminderDay = sql`(greatest(r.late_after, r.due_on) + c.invoice_reminder_days)`;

/**
 * `c` is the company, `r` the invoice. The day is only narrowed down here, to one that has begun somewhere: the application knows zones that
 * the database has no name for, and one such company would end the search for all. Before a reminder is mailed, `isReminderDue` decides.
 */
const mayBeDue = (at: string) => sql`c.invoice_reminder_days is not null and r.balance > 0
  and ${reminderDay} <= (${at}::timestamptz at time zone 'UTC')::date + 1
  and ${reminderDay} >= (${at}::timestamptz at time zone 'UTC')::date - ${LATEST_DAYS}::int
  and ${reminderDay} >= (c.invoice_reminders_since at time zone 'UTC')::date - 1
  and exists (select from customers p where p.company_id = r.company_id and p.id = r.customer_id and p.email <> '')
  and not exists (select from invoice_mails m where m.company_id = r.company_id and m.invoice_id = r.id and m.kind = 'reminder')`;

export const listDueInvoices = (pool: pg.Pool, page: DuePage) =>
  listDueRecords(pool, { table: 'invoices', isDue: mayBeDue(page.now) }, page);

/** Whether this one is, on this day of the company, and reminders were on when its day began. */
export async function isReminderDue(
  scope: TenantScope,
  { id, late_after, due_on }: { readonly id: string; readonly late_after: string; readonly due_on: string | null },
): Promise<boolean> {
  const { rows } = await scope.db.execute<{ days: number; since: string }>(
    sql`select c.invoice_reminder_days as days, to_char(c.invoice_reminders_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as since
      from companies c join invoices r on r.company_id = c.company_id
      where r.company_id = ${scope.companyId} and r.id = ${id} and ${mayBeDue(scope.now)}`,
  );
  const [found] = rows;
  if (!found) return false;
  const timezone = await readTimezone(scope);
  const due = due_on !== null && due_on > late_after ? due_on : late_after;
  const day = addDays(due, found.days);
  return day <= localDate(scope.now, timezone) && day >= localDate(found.since, timezone);
}

export async function readReminderWording(scope: TenantScope): Promise<ReminderWording> {
  const { invoice_reminder_subject: subject, invoice_reminder_body: body } = companies;
  const [wording] = await scope.db.select({ subject, body }).from(companies).where(inCompany(scope, companies));
  return wording ?? { subject: null, body: null };
}
