import { type SQL, sql } from 'drizzle-orm';
import type pg from 'pg';
import { getDatabase, type TenantScope } from '../../platform/db/tenant-scope.ts';
import type { DocumentName } from './documents.table.ts';

/** A document that is due for a reminder to its customer. */
export interface DueDocument {
  readonly company_id: string;
  readonly id: string;
}

/** A reminder that can't be sent within this many days is dropped, which also limits how many records each run reads. */
export const REMINDER_EXPIRY_DAYS = 30;

/** In `isDue`, `c` is the company and `r` the document. */
export interface ReminderRule {
  readonly name: DocumentName;
  isDue(now: string): SQL;
}

const buildDueCondition = ({ name, isDue }: ReminderRule, now: string) => sql`${sql.raw(`c.${name}_reminder_days`)} is not null
  and c.deletes_at is null and ${isDue(now)}
  and exists (select from customers p where p.company_id = r.company_id and p.id = r.customer_id and p.email <> '' and p.deleted_at is null)
  and not exists (select from ${sql.raw(`${name}_mails m where m.${name}_id`)} = r.id and m.company_id = r.company_id and m.kind = 'reminder')`;

const buildJoin = ({ name }: ReminderRule) => sql.raw(`companies c join ${name}s r on r.company_id = c.company_id`);

/** True if an admin of company `c` has verified their email. Without one, the company can't email customers, by hand or by reminder. */
const hasVerifiedAdmin = sql`exists (select from staff_members m join users u on u.id = m.profile_id
  where m.company_id = c.company_id and m.role = 'admin' and u.email_verified)`;

interface DuePage {
  readonly now: string;
  readonly after: DueDocument | null;
  readonly limit: number;
}

/** Lists all companies' documents that are due for a reminder, ordered by id. */
export async function listDueDocuments(pool: pg.Pool, rule: ReminderRule, { now, after, limit }: DuePage): Promise<DueDocument[]> {
  const isAfter = after ? sql`and (r.company_id, r.id) > (${after.company_id}::uuid, ${after.id}::uuid)` : sql``;
  const { rows } = await getDatabase(pool).execute<{ company_id: string; id: string }>(
    sql`select r.company_id, r.id from ${buildJoin(rule)}
      where ${buildDueCondition(rule, now)} and ${hasVerifiedAdmin} ${isAfter} order by r.company_id, r.id limit ${limit}`,
  );
  return rows;
}

/** Selects `columns` of the document if it is due for a reminder; otherwise returns null. */
export async function findDueDocument<Row extends Record<string, string>>(
  scope: TenantScope,
  rule: ReminderRule,
  id: string,
  columns: SQL = sql`r.id`,
): Promise<Row | null> {
  const { rows } = await scope.db.execute<Row>(
    sql`select ${columns} from ${buildJoin(rule)}
      where r.company_id = ${scope.companyId} and r.id = ${id} and ${buildDueCondition(rule, scope.now)}`,
  );
  return (rows[0] as Row | undefined) ?? null;
}
