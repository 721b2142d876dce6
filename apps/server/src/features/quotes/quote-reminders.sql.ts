import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { databaseOf, type TenantScope } from '../../platform/db/tenant-scope.ts';

export interface DueQuote {
  readonly company_id: string;
  readonly id: string;
}

/** A reminder that could not be sent for this long is not sent any more. It also bounds what every run reads. */
const LATEST_DAYS = 30;

/**
 * `c` is the company, `q` the quote, at the moment `at`. The last day is only narrowed down here, to a day that has not passed everywhere:
 * the application knows zones that the database has no name for, and one such company would end the search for all. Before a reminder is
 * mailed, `is_actionable` decides.
 */
const isDue = (at: string) => sql`c.quote_reminder_days is not null and q.status = 'sent'
  and q.sent_at <= ${at}::timestamptz - make_interval(days => c.quote_reminder_days)
  and q.sent_at > ${at}::timestamptz - make_interval(days => c.quote_reminder_days + ${LATEST_DAYS})
  and q.sent_at >= c.quote_reminders_since - make_interval(days => c.quote_reminder_days)
  and (q.valid_until is null or q.valid_until >= (${at}::timestamptz at time zone 'UTC')::date - 1)
  and exists (select from customers p where p.company_id = q.company_id and p.id = q.customer_id and p.email <> '')
  and not exists (select from quote_mails r where r.company_id = q.company_id and r.quote_id = q.id and r.kind = 'reminder')`;

interface DuePage {
  readonly now: string;
  readonly after: DueQuote | null;
  readonly limit: number;
}

/** As for quotes that people send: nobody mails others before one of the company's administrators has confirmed their own email. */
const isConfirmed = sql`exists (select from staff_members m join users u on u.id = m.profile_id
  where m.company_id = c.company_id and m.role = 'admin' and u.email_verified)`;

/** Of all companies, in the order of their ids. */
export async function listDueQuotes(pool: pg.Pool, { now, after, limit }: DuePage): Promise<DueQuote[]> {
  const isAfter = after ? sql`and (q.company_id, q.id) > (${after.company_id}::uuid, ${after.id}::uuid)` : sql``;
  const { rows } = await databaseOf(pool).execute<{ company_id: string; id: string }>(
    sql`select q.company_id, q.id from companies c join quotes q on q.company_id = c.company_id
      where ${isDue(now)} and ${isConfirmed} ${isAfter} order by q.company_id, q.id limit ${limit}`,
  );
  return rows;
}

/** Whether this one still is. */
export async function isReminderDue(scope: TenantScope, id: string): Promise<boolean> {
  const { rowCount } = await scope.db.execute(
    sql`select from companies c join quotes q on q.company_id = c.company_id
      where q.company_id = ${scope.companyId} and q.id = ${id} and ${isDue(scope.now)}`,
  );
  return rowCount === 1;
}
