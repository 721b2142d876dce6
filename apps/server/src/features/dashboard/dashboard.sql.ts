import { MAX_RECENT_JOBS } from '@callout/contract/dashboard';
import type { SortOrder } from '@callout/contract/fields';
import { and, count, desc, eq, gte, lte, ne, not, type SQL, sql } from 'drizzle-orm';
import { staff_members } from '../../platform/auth/auth.table.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { categories } from '../categories/categories.table.ts';
import { companies } from '../company/company.table.ts';
import { customers } from '../customers/customers.table.ts';
import { isActiveJob, isUninvoicedJob, jobList } from '../jobs/jobs.sql.ts';
import { job_categories, jobs } from '../jobs/jobs.table.ts';
import { tasks } from '../tasks/tasks.table.ts';

/** Reads all counts in one statement, so that they share a snapshot. */
export async function readDashboardCounts(scope: TenantScope) {
  const { db } = scope;
  const [counts] = await db
    .select({
      customers: db.$count(customers, and(inCompany(scope, customers), eq(customers.status, 'active'))),
      active_jobs: db.$count(jobs, and(inCompany(scope, jobs), isActiveJob)),
      tasks: db.$count(tasks, and(inCompany(scope, tasks), eq(tasks.status, 'active'))),
      staff: db.$count(staff_members, inCompany(scope, staff_members)),
      categories: db.$count(categories, inCompany(scope, categories)),
    })
    .from(companies)
    .where(inCompany(scope, companies));
  if (!counts) throw new Error('This company no longer exists');
  return counts;
}

export interface CreationPeriod {
  readonly created_from?: string | undefined;
  readonly created_to?: string | undefined;
}

/** Matches jobs created in the period, including both ends. */
function isCreatedIn(scope: TenantScope, { created_from, created_to }: CreationPeriod): SQL | undefined {
  return and(
    inCompany(scope, jobs),
    created_from === undefined ? undefined : gte(jobs.created_at, created_from),
    created_to === undefined ? undefined : lte(jobs.created_at, created_to),
  );
}

/** Counts each job once in each of its categories. The largest categories come first. */
export function countJobsByCategory(scope: TenantScope, period: CreationPeriod) {
  const total = count();
  const name = sql<string>`coalesce(nullif(trim(${categories.name}), ''), 'Unknown')`;
  return scope.db
    .select({ id: categories.id, name, jobs: total })
    .from(jobs)
    .innerJoin(job_categories, and(eq(job_categories.company_id, jobs.company_id), eq(job_categories.job_id, jobs.id)))
    .innerJoin(categories, and(eq(categories.company_id, job_categories.company_id), eq(categories.id, job_categories.category_id)))
    .where(and(isCreatedIn(scope, period), ne(jobs.status, 'canceled')))
    .groupBy(categories.id, categories.name)
    .orderBy(desc(total), sql`lower(${categories.name})`, categories.id);
}

/** Counts the jobs that `countJobsByCategory` leaves out, because they have no category. */
export function countUncategorizedJobs(scope: TenantScope, period: CreationPeriod) {
  const hasCategory = sql`exists (select from ${job_categories}
    where ${job_categories.company_id} = ${jobs.company_id} and ${job_categories.job_id} = ${jobs.id})`;
  return scope.db.$count(jobs, and(isCreatedIn(scope, period), ne(jobs.status, 'canceled'), not(hasCategory)));
}

/** Lists jobs by booking date. Jobs without a booking date come last, newest first. */
export async function listRecentJobs(scope: TenantScope, { order, ...period }: CreationPeriod & { order: SortOrder }) {
  const isInPeriod = isCreatedIn(scope, period);
  const byBooking = order === 'asc' ? sql`${jobs.booking_date} asc nulls last` : sql`${jobs.booking_date} desc nulls last`;
  const found = await scope.db
    .select({ ...jobList.columns, total: scope.db.$count(jobs, isInPeriod) })
    .from(jobs)
    // The join makes Drizzle add table names to columns, which would otherwise be ambiguous in the list's subqueries.
    .innerJoin(companies, eq(companies.company_id, jobs.company_id))
    .where(isInPeriod)
    .orderBy(byBooking, desc(jobs.created_at), desc(jobs.id))
    .limit(MAX_RECENT_JOBS);
  return { rows: found.map(({ total: _, ...row }) => row), total: found[0]?.total ?? 0 };
}

/** Returns the total of finished, unpaid jobs without an open invoice, and the company's currency and time zone. */
export async function readUninvoicedWork(scope: TenantScope) {
  const [company] = await scope.db
    .select({
      currency: companies.currency,
      timezone: sql<string>`coalesce(${companies.timezone}, 'UTC')`,
      uninvoiced: sql<{ amount: string; jobs: number }>`(select json_build_object('jobs', count(*),
          'amount', coalesce(sum(${jobs.total_amount}) filter (where ${jobs.currency} is not distinct from ${companies.currency}), 0.00)::text)
        from ${jobs} where ${and(inCompany(scope, jobs), isUninvoicedJob)})`,
    })
    .from(companies)
    .where(inCompany(scope, companies));
  if (!company) throw new Error('This company no longer exists');
  return company;
}
