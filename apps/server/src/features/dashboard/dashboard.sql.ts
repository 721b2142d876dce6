import { MAX_RECENT_JOBS } from '@callout/contract/dashboard';
import type { SortOrder } from '@callout/contract/fields';
import { and, eq, gte, lte, ne, type SQL, sql } from 'drizzle-orm';
import type pg from 'pg';
import { staff_members } from '../../platform/auth/auth.table.ts';
import { countRows } from '../../platform/db/list-statements.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { categories } from '../categories/categories.table.ts';
import { companies } from '../company/company.table.ts';
import { isActiveJob, isUninvoicedJob, jobList } from '../jobs/jobs.sql.ts';
import { job_categories, jobs } from '../jobs/jobs.table.ts';
import { tasks } from '../tasks/tasks.table.ts';

/** Selects a firm's counts of all time, which triggers keep: the totals and the changes that were not added up yet. */
const selectCounts = ({ companyId }: TenantScope, kind: 'active customers' | 'jobs') =>
  sql`(select of_id, total from record_counts where company_id = ${companyId} and kind = ${kind}
    union all select of_id, total from record_count_changes where company_id = ${companyId} and kind = ${kind}) counts`;

/** Adds the changes to the totals, so that few are left to read. */
export async function addUpCountChanges(pool: pg.Pool | pg.Client): Promise<void> {
  await pool.query(`with added as (delete from record_count_changes returning company_id, kind, of_id, total)
    insert into record_counts as c select company_id, kind, of_id, sum(total) from added group by company_id, kind, of_id
    on conflict (company_id, kind, of_id) do update set total = c.total + excluded.total`);
}

/** Reads all counts in one statement, so that they share a snapshot. */
export async function readDashboardCounts(scope: TenantScope) {
  const { db } = scope;
  const [counts] = await db
    .select({
      customers: sql<number>`(select coalesce(sum(total), 0)::integer from ${selectCounts(scope, 'active customers')})`,
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

/** Counts the jobs in each category, and those without one, except canceled jobs. The category of the latter is the company. */
const countJobs = (scope: TenantScope, period: CreationPeriod) =>
  period.created_from === undefined && period.created_to === undefined
    ? sql`select of_id, sum(total)::integer as jobs from ${selectCounts(scope, 'jobs')} group by of_id having sum(total) > 0`
    : sql`select coalesce(${job_categories.category_id}, ${jobs.company_id}) as of_id, count(*)::integer as jobs
        from ${jobs} left join ${job_categories} on ${job_categories.company_id} = ${jobs.company_id} and ${job_categories.job_id} = ${jobs.id}
        where ${and(isCreatedIn(scope, period), ne(jobs.status, 'canceled'))} group by 1`;

/** Counts each job once in each of its categories. The largest categories come first. Jobs without a category are in no row. */
export async function countJobsByCategory(scope: TenantScope, period: CreationPeriod) {
  const { rows } = await scope.db.execute<{ id: string; name: string; jobs: number }>(sql`select counted.of_id as id, counted.jobs,
      coalesce(nullif(trim(${categories.name}), ''), 'Unknown') as name
    from (${countJobs(scope, period)}) counted
      left join ${categories} on ${categories.company_id} = ${scope.companyId} and ${categories.id} = counted.of_id
    where ${categories.id} is not null or counted.of_id = ${scope.companyId}
    order by counted.jobs desc, lower(${categories.name}), counted.of_id`);
  const isUncategorized = ({ id }: { id: string }) => id === scope.companyId;
  return {
    rows: rows.filter((row) => !isUncategorized(row)),
    uncategorized: rows.find(isUncategorized)?.jobs ?? 0,
  };
}

/** Lists jobs by booking date. Jobs without a booking date come last, newest first. */
export async function listRecentJobs(scope: TenantScope, { order, ...period }: CreationPeriod & { order: SortOrder }) {
  const isInPeriod = isCreatedIn(scope, period);
  const [direction, newestFirst] = [sql.raw(order), sql`${jobs.created_at} desc, ${jobs.id} desc`];
  // An index has the dated jobs in order and another the undated ones, so that only the listed jobs are read, not those of all time.
  const listFirst = (condition: SQL, sort: SQL) =>
    sql`(select ${jobs.id} from ${jobs} where ${and(isInPeriod, condition)} order by ${sort} limit ${MAX_RECENT_JOBS})`;
  const dated = listFirst(sql`${jobs.booking_date} is not null`, sql`${jobs.booking_date} ${direction}, ${newestFirst}`);
  const undated = listFirst(sql`${jobs.booking_date} is null`, newestFirst);
  const found = await scope.db
    .select({ ...jobList.columns, total: sql<number>`(${countRows(jobList, isInPeriod)})` })
    .from(jobs)
    // The join makes Drizzle add table names to columns, which would otherwise be ambiguous in the list's subqueries.
    .innerJoin(companies, eq(companies.company_id, jobs.company_id))
    .where(and(inCompany(scope, jobs), sql`${jobs.id} in (${dated} union all ${undated})`))
    .orderBy(sql`${jobs.booking_date} ${direction} nulls last`, newestFirst)
    .limit(MAX_RECENT_JOBS);
  return { rows: found.map(({ total: _, ...row }) => row), total: found[0]?.total ?? 0 };
}

/** Names the tables itself, because Drizzle leaves them out and both columns would then be the job's. */
const isInCompanyCurrency = sql`jobs.currency is not distinct from companies.currency`;

/** Returns the total of finished jobs that still need an invoice, and the company's currency and time zone. */
export async function readUninvoicedWork(scope: TenantScope) {
  const [company] = await scope.db
    .select({
      currency: companies.currency,
      timezone: sql<string>`coalesce(${companies.timezone}, 'UTC')`,
      uninvoiced: sql<{ amount: string; jobs: number }>`(select json_build_object('jobs', count(*),
          'amount', coalesce(sum(${jobs.total_amount}), 0.00)::text)
        from ${jobs} where ${and(inCompany(scope, jobs), isUninvoicedJob)} and ${isInCompanyCurrency})`,
    })
    .from(companies)
    .where(inCompany(scope, companies));
  if (!company) throw new Error('This company no longer exists');
  return company;
}
