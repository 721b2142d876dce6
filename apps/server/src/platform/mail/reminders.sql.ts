import { type SQL, sql } from 'drizzle-orm';
import type pg from 'pg';
import { getDatabase } from '../db/tenant-scope.ts';

/** A record, such as a quote or invoice, that is due for a reminder to its customer. */
export interface RecordDueForReminder {
  readonly company_id: string;
  readonly id: string;
}

export interface ReminderQuery {
  readonly now: string;
  readonly after: RecordDueForReminder | null;
  readonly limit: number;
}

/** A reminder that can't be sent within this many days is dropped, which also limits how many records each run reads. */
export const REMINDER_EXPIRY_DAYS = 30;

/** True if an admin of company `c` has verified their email. Without one, the company can't email customers, by hand or by reminder. */
const hasVerifiedAdmin = sql`exists (select from staff_members m join users u on u.id = m.profile_id
  where m.company_id = c.company_id and m.role = 'admin' and u.email_verified)`;

/** Lists all companies' records that are due for a reminder, ordered by id. In `isDue`, `c` is the company and `r` the record. */
export async function listRecordsDueForReminder(
  pool: pg.Pool,
  { table, isDue }: { readonly table: 'quotes' | 'invoices'; readonly isDue: SQL },
  { after, limit }: ReminderQuery,
): Promise<RecordDueForReminder[]> {
  const isAfter = after ? sql`and (r.company_id, r.id) > (${after.company_id}::uuid, ${after.id}::uuid)` : sql``;
  const { rows } = await getDatabase(pool).execute<{ company_id: string; id: string }>(
    sql`select r.company_id, r.id from companies c join ${sql.raw(table)} r on r.company_id = c.company_id
      where ${isDue} and ${hasVerifiedAdmin} ${isAfter} order by r.company_id, r.id limit ${limit}`,
  );
  return rows;
}
