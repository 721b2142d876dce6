import { JobView, type JobViewFilter, jobViewNameTakenError, jobViewNotFoundError } from '@callout/contract/job-views';
import { and, count, eq, type SQL, sql } from 'drizzle-orm';
import { staff_members } from '../../platform/auth/auth.table.ts';
import { getMember } from '../../platform/db/actor.ts';
import { inCompany, pickColumns, type RecordType } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { categories } from '../categories/categories.table.ts';
import { job_views } from './jobs.table.ts';
import { createMissingReferenceFailure } from './save-job.sql.ts';

const jobViewColumns = pickColumns(job_views, JobView);

const whereMine = (scope: TenantScope): SQL | undefined =>
  and(inCompany(scope, job_views), eq(job_views.staff_id, getMember(scope.actor).staffId));

/** Finds only the caller's own views. Read a view before changing it: the shared commands find records by their id alone. */
export const jobViewRecordType: RecordType<typeof job_views, JobView> = {
  table: job_views,
  idColumn: job_views.id,
  notFound: jobViewNotFoundError,
  conflicts: { job_views_by_name: jobViewNameTakenError },
  returning: jobViewColumns,
  async find(scope, id) {
    const [view] = await scope.db
      .select(jobViewColumns)
      .from(job_views)
      .where(and(whereMine(scope), eq(job_views.id, id)));
    return view ?? null;
  },
};

export function listMyJobViews(scope: TenantScope): Promise<JobView[]> {
  return scope.db.select(jobViewColumns).from(job_views).where(whereMine(scope)).orderBy(sql`lower(${job_views.name})`, job_views.id);
}

/** Locks the caller, so that two requests can't both add the last view, and counts the caller's views. */
export async function lockCallerAndCountJobViews(scope: TenantScope): Promise<number> {
  const { staffId } = getMember(scope.actor);
  await scope.db
    .select({ id: staff_members.id })
    .from(staff_members)
    .where(inCompany(scope, staff_members, staffId))
    .for('no key update');
  const [existing] = await scope.db.select({ views: count() }).from(job_views).where(whereMine(scope));
  return existing?.views ?? 0;
}

/** Throws if the filter names a staff member or category that the company doesn't have. A view outlives those that it names. */
export async function requireFilteredRecords(scope: TenantScope, { staff_id, category_id }: JobViewFilter): Promise<void> {
  if (staff_id !== undefined && (await scope.db.$count(staff_members, inCompany(scope, staff_members, staff_id))) === 0)
    throw createMissingReferenceFailure('filter.staff_id', 'staff member');
  if (category_id !== undefined && (await scope.db.$count(categories, inCompany(scope, categories, category_id))) === 0)
    throw createMissingReferenceFailure('filter.category_id', 'category');
}
