import { ACTIVE_JOB_STATUSES } from '@callout/domain/jobs/job';
import { getTableName, sql } from 'drizzle-orm';
import type pg from 'pg';
import { getMember } from '../../platform/db/actor.ts';
import type { CompanyTable } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { buildStaffNameSubquery } from '../history/history.sql.ts';

/** Tables with records that are marked as deleted first. Row-level security hides a marked record from every call. */
const DELETABLE_TABLES = ['customers', 'categories', 'suppliers', 'staff_members'] as const;
type DeletableTable = (typeof DELETABLE_TABLES)[number];
export type DeletableRecordTable = CompanyTable & { readonly _: { readonly name: DeletableTable } };

/** A record that is marked as deleted, but may still be referred to. */
export interface PendingDeletion {
  readonly table: DeletableTable;
  readonly company_id: string;
  readonly id: string;
}

/**
 * Marks the record and returns the deletion to finish, or null if the record doesn't exist or is marked already. Waits for transactions
 * that are adding references to it.
 */
export async function markDeleted(scope: TenantScope, recordTable: DeletableRecordTable, id: string): Promise<PendingDeletion | null> {
  const table = getTableName(recordTable);
  const remover = buildStaffNameSubquery(scope, getMember(scope.actor).staffId);
  const { rows } = await scope.db.execute<{ marked: boolean }>(sql`select mark_deleted(${table}, ${id}::uuid, ${remover}) as marked`);
  return rows[0]?.marked ? { table, company_id: scope.companyId, id } : null;
}

interface Batch {
  /** Selects the ids of at most $3 rows to lock, in `table` unless `lockedTable` names another one. */
  readonly ids: string;
  readonly lockedTable?: string;
  readonly lock?: 'update' | 'no key update';
  /** Changes the rows in `locked`, and returns the changed rows. */
  readonly change: string;
  /** A further CTE that uses the rows in `changed`. */
  readonly record?: string;
}

/** Locks rows in the order of their ids, like other commands that lock many. Then a batch can't deadlock with them. */
const buildBatch = (table: string, { ids, lockedTable = table, lock = 'no key update', change, record = '' }: Batch) => `
  with batch as materialized (${ids} limit $3),
    locked as materialized (select l.* from ${lockedTable} l where l.company_id = $1 and l.id in (select id from batch)
      order by l.id for ${lock}),
    changed as (${change} returning t.*)${record}
  select count(*)::int as rows from changed`;

const selectIds = (table: string, column: string) => `select t.id from ${table} t where t.company_id = $1 and t.${column} = $2`;

/** Every batch works on the first items that are left, and deletes them once they have no lines. Otherwise, each would read all items again. */
const selectFirstItemIds = `${selectIds('supplier_items', 'supplier_id')} order by t.sku_key, t.name_key, t.id`;

/** Selects the lines of a supplier's first items. */
const selectLineIds = (table: string) => `select line.id from (${selectFirstItemIds} limit $3) item
  cross join lateral (select t.id from ${table} t where t.company_id = $1 and t.supplier_item_id = item.id limit $3) line`;

/** `kept` sets further columns, from the record `r` that is deleted. */
const clear = (table: string, column: string, { ids = selectIds(table, column), kept = '', record = '' } = {}) =>
  buildBatch(table, {
    ids,
    change: `update ${table} t set ${column} = null${kept} from locked where t.company_id = $1 and t.id = locked.id`,
    record,
  });

const isOfFormerLogin = 'user_id = (select m.former_login from staff_members m where m.company_id = $1 and m.id = $2)';

/** Deletes what belonged to the login of a removed person, in every company unless there is another condition. */
const removeOfLogin = (table: string, condition = 'true') => `
  with changed as (delete from ${table}
    where ctid = any (array(select ctid from ${table} where ${condition} and ${isOfFormerLogin} limit $3)) returning 1)
  select count(*)::int as rows from changed`;

/** Records the `changes` in the history of the changed rows `c`, which were `b` before. The deleted record is `r`. */
const recordUnlinking = (kind: 'job' | 'quote', table: DeletableTable, changes: string, condition = 'true') => `, recorded as (
    insert into record_events (company_id, id, record_kind, record_id, at, who, action, changes)
      select $1, gen_random_uuid(), '${kind}', c.id, r.deleted_at, coalesce(r.removed_by, 'Callout'), 'edited', ${changes}
        from changed c join locked b on b.id = c.id join ${table} r on r.company_id = $1 and r.id = $2
        where ${condition})`;

/** Keeps the person's hourly rate on jobs where it applies (`getRateWithoutDefault`), so that their unbilled time costs the same. */
const keepHourlyRate = `, hourly_rate = (select case when t.job_type = 'hourly' and r.hourly_rate > 0
      and not (t.hourly_rate_confirmed and t.hourly_rate is not null) then r.hourly_rate else t.hourly_rate end
    from staff_members r where r.company_id = $1 and r.id = $2)`;

const hasNewRate = 'c.hourly_rate is distinct from b.hourly_rate';
const recordUnassignment = recordUnlinking(
  'job',
  'staff_members',
  `jsonb_build_object('assigned_to', jsonb_build_array(r.name, null))
    || case when ${hasNewRate} then jsonb_build_object('hourly_rate', jsonb_build_array(b.hourly_rate::text, c.hourly_rate::text)) else '{}' end`,
  `c.status in (${ACTIVE_JOB_STATUSES.map((status) => `'${status}'`).join(', ')}) or ${hasNewRate}`,
);

const recordLostCustomer = (kind: 'job' | 'quote') =>
  recordUnlinking(
    kind,
    'customers',
    `jsonb_build_object('customer', jsonb_build_array(coalesce(nullif(r.company_name, ''), r.name), null))`,
  );

const keepCustomerName = `, former_customer = (select case when t.status <> 'draft'
      then jsonb_build_object('name', r.name, 'company_name', r.company_name) end
    from customers r where r.company_id = $1 and r.id = $2)`;

/** One statement per table that refers to a record. Each changes at most $3 rows, and returns how many it changed. */
export const UNLINK_STATEMENTS: Record<DeletableTable, readonly string[]> = {
  customers: [
    clear('jobs', 'customer_id', { record: recordLostCustomer('job') }),
    clear('quotes', 'customer_id', { kept: keepCustomerName, record: recordLostCustomer('quote') }),
    clear('invoices', 'customer_id'),
    // A trigger of migration 0077 copies the customer of the file's job again, which by now has none.
    buildBatch('files', {
      ids: selectIds('files', 'customer_id'),
      change: 'update files t set owner_id = t.owner_id from locked where t.company_id = $1 and t.id = locked.id',
    }),
  ],
  categories: [
    // Saving a job locks the job before its categories. A trigger updates the job when one of them is removed.
    buildBatch('job_categories', {
      ids: 'select job_id as id from job_categories where company_id = $1 and category_id = $2 order by job_id',
      lockedTable: 'jobs',
      change: 'delete from job_categories t using locked where t.company_id = $1 and t.category_id = $2 and t.job_id = locked.id',
    }),
  ],
  suppliers: [
    clear('job_items', 'supplier_item_id', { ids: selectLineIds('job_items') }),
    clear('quote_items', 'supplier_item_id', { ids: selectLineIds('quote_items') }),
    buildBatch('supplier_items', {
      ids: selectFirstItemIds,
      lock: 'update',
      change: 'delete from supplier_items t using locked where t.company_id = $1 and t.id = locked.id',
    }),
  ],
  staff_members: [
    clear('jobs', 'staff_id', { kept: keepHourlyRate, record: recordUnassignment }),
    clear('tasks', 'staff_id'),
    clear('time_entries', 'staff_id'),
    clear('job_comments', 'staff_id'),
    removeOfLogin('notifications'),
    removeOfLogin('notification_clearings'),
    removeOfLogin('commands', 'company_id = $1'),
  ],
};

/**
 * Locks the marked record against other batches, but not against transactions that still refer to it. Returns false if it is gone. Locks
 * the company against removal first, as every command does.
 */
export async function lockDeletedRecord(client: pg.PoolClient, { table, company_id, id }: PendingDeletion): Promise<boolean> {
  await client.query('select from companies where company_id = $1 for key share', [company_id]);
  const { rows } = await client.query(
    `select from ${table} where company_id = $1 and id = $2 and deleted_at is not null for no key update`,
    [company_id, id],
  );
  return rows.length > 0;
}

/** Clears at most `limit` references, all in one table. Returns false if there are none left. */
export async function unlinkBatch(client: pg.PoolClient, { table, company_id, id }: PendingDeletion, limit: number): Promise<boolean> {
  // The rows that earlier batches changed make a sequential scan look cheap, but it would read them again in every batch.
  await client.query('set local enable_seqscan = off');
  for (const statement of UNLINK_STATEMENTS[table]) {
    const { rows } = await client.query<{ rows: number }>(statement, [company_id, id, limit]);
    if (rows[0] && rows[0].rows > 0) return true;
  }
  return false;
}

/** A reference that was added since the last batch is cleared by its foreign key. */
export async function deleteMarkedRecord(client: pg.PoolClient, { table, company_id, id }: PendingDeletion): Promise<void> {
  await client.query(`delete from ${table} where company_id = $1 and id = $2 and deleted_at is not null`, [company_id, id]);
}

/** Lists the records that were marked at least `minutes` ago. */
export async function listPendingDeletions(pool: pg.Pool, minutes: number): Promise<PendingDeletion[]> {
  const selectMarked = (table: DeletableTable) =>
    `select '${table}' as table, company_id, id from ${table} where deleted_at <= now() - make_interval(mins => $1)`;
  const { rows } = await pool.query<PendingDeletion>(DELETABLE_TABLES.map(selectMarked).join(' union all '), [minutes]);
  return rows;
}
