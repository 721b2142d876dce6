import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { type DuePage, LATEST_DAYS, listDueRecords } from '../../platform/mail/reminders.sql.ts';

/**
 * `c` is the company, `r` the quote, at the moment `at`. The last day is only narrowed down here, to a day that has not passed everywhere:
 * the application knows zones that the database has no name for, and one such company would end the search for all. Before a reminder is
 * mailed, `is_actionable` decides.
 */
const isDue = (at: string) => sql`c.quote_reminder_days is not null and r.status = 'sent'
  and r.sent_at <= ${at}::timestamptz - make_interval(days => c.quote_reminder_days)
  and r.sent_at > ${at}::timestamptz - make_interval(days => c.quote_reminder_days + ${LATEST_DAYS})
  and r.sent_at >= c.quote_reminders_since - make_interval(days => c.quote_reminder_days)
  and (r.valid_until is null or r.valid_until >= (${at}::timestamptz at time zone 'UTC')::date - 1)
  and exists (select from customers p where p.company_id = r.company_id and p.id = r.customer_id and p.email <> '')
  and not exists (select from quote_mails m where m.company_id = r.company_id and m.quote_id = r.id and m.kind = 'reminder')`;

export const listDueQuotes = (pool: pg.Pool, page: DuePage) => listDueRecords(pool, { table: 'quotes', isDue: isDue(page.now) }, page);

/** Whether this one still is. */
export async function isReminderDue(scope: TenantScope, id: string): Promise<boolean> {
  const { rowCount } = await scope.db.execute(
    sql`select from companies c join quotes r on r.company_id = c.company_id
      where r.company_id = ${scope.companyId} and r.id = ${id} and ${isDue(scope.now)}`,
  );
  return rowCount === 1;
}
