import { type SQL, sql } from 'drizzle-orm';
import type pg from 'pg';
import { databaseOf } from '../db/tenant-scope.ts';

/** A record whose customer may have to be reminded. */
export interface DueRecord {
  readonly company_id: string;
  readonly id: string;
}

export interface DuePage {
  readonly now: string;
  readonly after: DueRecord | null;
  readonly limit: number;
}

/** A reminder that could not be sent for this long is not sent any more. It also bounds what every run reads. */
export const LATEST_DAYS = 30;

/** `c` is the company. As for mails that people send: nobody mails others before one of its administrators has confirmed their own email. */
const isConfirmed = sql`exists (select from staff_members m join users u on u.id = m.profile_id
  where m.company_id = c.company_id and m.role = 'admin' and u.email_verified)`;

/** Of all companies, in the order of their ids. `c` is the company, `r` the record in this table. */
export async function listDueRecords(
  pool: pg.Pool,
  { table, isDue }: { readonly table: 'quotes' | 'invoices'; readonly isDue: SQL },
  { after, limit }: DuePage,
): Promise<DueRecord[]> {
  const isAfter = after ? sql`and (r.company_id, r.id) > (${after.company_id}::uuid, ${after.id}::uuid)` : sql``;
  const { rows } = await databaseOf(pool).execute<{ company_id: string; id: string }>(
    sql`select r.company_id, r.id from companies c join ${sql.raw(table)} r on r.company_id = c.company_id
      where ${isDue} and ${isConfirmed} ${isAfter} order by r.company_id, r.id limit ${limit}`,
  );
  return rows;
}
