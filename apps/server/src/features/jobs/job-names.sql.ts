import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { staff_members } from '../../platform/auth/auth.table.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { customers } from '../customers/customers.table.ts';
import { job_categories, jobs } from './jobs.table.ts';

/** What jobs are sorted by the name of. */
export type NamedKind = 'customer' | 'staff' | 'category';

export interface NamedRecord {
  readonly kind: NamedKind;
  readonly id: string;
}

/** Where a batch ended: what the index of the record's jobs is sorted by. */
export interface BatchEnd {
  readonly id: string;
  readonly created_at: string | null;
}

/** The next jobs of a record, in the order of the index that finds them. */
export async function listJobsOf(
  scope: TenantScope,
  { kind, id }: NamedRecord,
  after: BatchEnd | null,
  limit: number,
): Promise<BatchEnd[]> {
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

const KEYS: Record<NamedKind, [column: 'customer_key' | 'staff_key' | 'category_key', current: SQL]> = {
  customer: ['customer_key', customerKey],
  staff: ['staff_key', staffKey],
  category: ['category_key', categoryKey],
};

/**
 * Gives these jobs the name their record has now, and returns how many had another one. Locked first, and in the order of their ids as
 * everywhere: the names are read after every save that was on its way, and no later save can have read an older one.
 */
export async function takeNames(scope: TenantScope, kind: NamedKind, jobIds: readonly string[]): Promise<number> {
  const areThese = and(inCompany(scope, jobs), inArray(jobs.id, [...jobIds]));
  await scope.db.select({ id: jobs.id }).from(jobs).where(areThese).orderBy(asc(jobs.id)).for('no key update');
  const [column, current] = KEYS[kind];
  const { rowCount } = await scope.db
    .update(jobs)
    .set({ [column]: current })
    .where(and(areThese, sql`${jobs[column]} is distinct from ${current}`));
  return rowCount ?? 0;
}
