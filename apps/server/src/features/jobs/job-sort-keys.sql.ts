import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { staff_members } from '../../platform/auth/auth.table.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { customers } from '../customers/customers.table.ts';
import { job_categories, jobs } from './jobs.table.ts';

/** Kinds of records that jobs can be sorted by. Renaming such a record changes its jobs' sort keys. */
export type RenamedRecordKind = 'customer' | 'staff' | 'category';

export interface RenamedRecord {
  readonly kind: RenamedRecordKind;
  readonly id: string;
}

/** Keyset cursor: the last job of a batch. `created_at` is null for a category, because its jobs are sorted by id. */
export interface JobBatchCursor {
  readonly id: string;
  readonly created_at: string | null;
}

/** Lists the record's jobs after the cursor, in the order of the index that finds them. */
export async function listNextJobBatch(
  scope: TenantScope,
  { kind, id }: RenamedRecord,
  after: JobBatchCursor | null,
  limit: number,
): Promise<JobBatchCursor[]> {
  if (kind === 'category') {
    return scope.db
      .select({ id: job_categories.job_id, created_at: sql<null>`null` })
      .from(job_categories)
      .where(
        and(
          eq(job_categories.company_id, scope.companyId),
          eq(job_categories.category_id, id),
          after ? sql`${job_categories.job_id} > ${after.id}::uuid` : undefined,
        ),
      )
      .orderBy(asc(job_categories.job_id))
      .limit(limit);
  }
  return scope.db
    .select({ id: jobs.id, created_at: jobs.created_at })
    .from(jobs)
    .where(
      and(
        inCompany(scope, jobs),
        eq(kind === 'staff' ? jobs.staff_id : jobs.customer_id, id),
        after ? sql`(${jobs.created_at}, ${jobs.id}) > (${after.created_at}::timestamptz, ${after.id}::uuid)` : undefined,
      ),
    )
    .orderBy(asc(jobs.created_at), asc(jobs.id))
    .limit(limit);
}

const customerKey = sql`(select coalesce(${customers.company_name_key}, ${customers.name_key}) from ${customers}
  where ${customers.company_id} = ${jobs.company_id} and ${customers.id} = ${jobs.customer_id})`;
const staffKey = sql`(select sort_key(${staff_members.name}) from ${staff_members}
  where ${staff_members.company_id} = ${jobs.company_id} and ${staff_members.id} = ${jobs.staff_id})`;
const categoryKey = sql`main_category_key(${jobs.company_id}, ${jobs.id})`;

const SORT_KEYS: Record<RenamedRecordKind, [column: 'customer_key' | 'staff_key' | 'category_key', current: SQL]> = {
  customer: ['customer_key', customerKey],
  staff: ['staff_key', staffKey],
  category: ['category_key', categoryKey],
};

/**
 * Copies the record's current name into the sort keys of the given jobs, and returns how many jobs changed. Locks the jobs first to wait
 * for concurrent saves, which may still use the old name. Locking in id order prevents deadlocks.
 */
export async function updateSortKeys(scope: TenantScope, kind: RenamedRecordKind, jobIds: readonly string[]): Promise<number> {
  const isSelectedJob = and(inCompany(scope, jobs), inArray(jobs.id, [...jobIds]));
  await scope.db.select({ id: jobs.id }).from(jobs).where(isSelectedJob).orderBy(asc(jobs.id)).for('no key update');
  const [column, current] = SORT_KEYS[kind];
  const { rowCount } = await scope.db
    .update(jobs)
    .set({ [column]: current })
    .where(and(isSelectedJob, sql`${jobs[column]} is distinct from ${current}`));
  return rowCount ?? 0;
}
