import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { listRecordsDueForReminder, REMINDER_EXPIRY_DAYS, type ReminderQuery } from '../../platform/mail/reminders.sql.ts';

/**
 * `c` is the company and `r` the quote. Compares `valid_until` in UTC with a day to spare, because PostgreSQL doesn't know all of
 * JavaScript's time zones, and an unknown zone would fail the query for all companies. Before sending, `is_actionable` checks the exact
 * date.
 */
const buildDueCondition = (now: string) => sql`c.quote_reminder_days is not null and c.deletes_at is null and r.status = 'sent'
  and r.sent_at <= ${now}::timestamptz - make_interval(days => c.quote_reminder_days)
  and r.sent_at > ${now}::timestamptz - make_interval(days => c.quote_reminder_days + ${REMINDER_EXPIRY_DAYS})
  and r.sent_at >= c.quote_reminders_since - make_interval(days => c.quote_reminder_days)
  and (r.valid_until is null or r.valid_until >= (${now}::timestamptz at time zone 'UTC')::date - 1)
  and exists (select from customers p where p.company_id = r.company_id and p.id = r.customer_id and p.email <> '')
  and not exists (select from quote_mails m where m.company_id = r.company_id and m.quote_id = r.id and m.kind = 'reminder')`;

export const listQuotesDueForReminder = (pool: pg.Pool, page: ReminderQuery) =>
  listRecordsDueForReminder(pool, { table: 'quotes', isDue: buildDueCondition(page.now) }, page);

export async function isQuoteReminderDue(scope: TenantScope, id: string): Promise<boolean> {
  const { rowCount } = await scope.db.execute(
    sql`select from companies c join quotes r on r.company_id = c.company_id
      where r.company_id = ${scope.companyId} and r.id = ${id} and ${buildDueCondition(scope.now)}`,
  );
  return rowCount === 1;
}
