import { Job, JobSummary, jobNotFoundError } from '@callout/contract/jobs';
import { ACTIVE_JOB_STATUSES, type JobStatus } from '@callout/domain/jobs/job';
import { calculateJobTotals } from '@callout/domain/jobs/job-price';
import { getTaxRate, type TaxTotals } from '@callout/domain/tax/tax';
import { getEffectiveHourlyRate, getRateWithoutDefault } from '@callout/domain/timer/timer';
import { and, eq, isNull, ne, or, type SQL, sql } from 'drizzle-orm';
import { staff_colors, staff_members } from '../../platform/auth/auth.table.ts';
import { defineList } from '../../platform/db/keyset-list.ts';
import { lockPrices } from '../../platform/db/locks.sql.ts';
import { getLateMadeAt, getMadeAt } from '../../platform/db/made-at.ts';
import { prepareSelectFrom } from '../../platform/db/prepared-select.ts';
import { inCompany, isSameRequest, pickColumns, type RecordType, selectExistingId } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { toFailure } from '../../platform/errors/failures.ts';
import { categories } from '../categories/categories.table.ts';
import { companies } from '../company/company.table.ts';
import { customers } from '../customers/customers.table.ts';
import { selectExistingItemId } from '../suppliers/suppliers.sql.ts';
import { job_categories, job_comments, job_items, jobs, time_entries } from './jobs.table.ts';

const isCustomerOfJob = sql`${customers.company_id} = ${jobs.company_id} and ${customers.id} = ${jobs.customer_id}`;
const isStaffOfJob = sql`${staff_members.company_id} = ${jobs.company_id} and ${staff_members.id} = ${jobs.staff_id}`;
const isItemOfJob = sql`${job_items.company_id} = ${jobs.company_id} and ${job_items.job_id} = ${jobs.id}`;
const isTimeEntryOfJob = sql`${time_entries.company_id} = ${jobs.company_id} and ${time_entries.job_id} = ${jobs.id}`;

/** The assigned person's hourly rate, even if they are marked as deleted: their job gets it only when the queue unlinks it. */
export const staffRateOfJob = sql<string | null>`(select r.hourly_rate from staff_rates r
  where r.company_id = ${jobs.company_id} and r.id = ${jobs.staff_id})`;

const categoriesOfJob = sql<
  Job['categories']
>`(select coalesce(json_agg(json_build_object('id', ${categories.id}, 'name', ${categories.name})
    order by ${job_categories.position}), '[]')
  from ${job_categories} join ${categories} on ${categories.company_id} = ${job_categories.company_id} and ${categories.id} = ${job_categories.category_id}
  where ${job_categories.company_id} = ${jobs.company_id} and ${job_categories.job_id} = ${jobs.id})`;

/** Builds a subquery that selects a staff member as JSON, or null if none matches. `extraFields` adds more keys and values. */
export const buildStaffJsonSubquery = <Staff>(condition: SQL, extraFields: SQL = sql``) =>
  sql<Staff>`(select json_build_object('id', ${staff_members.id}, 'name', ${staff_members.name}, 'hex_code', ${staff_colors.hex_code}${extraFields})
    from ${staff_members} left join ${staff_colors} on ${staff_colors.id} = ${staff_members.color_id} where ${condition})`;

/** Calculates a job's timer status from its time entries: 'started', 'paused' or null. Ignores time that was added by hand. */
export const timerStatusAggregate = sql`case when bool_or(${time_entries.ended_at} is null) then 'started'
  when bool_or(${time_entries.added_by} is null) then 'paused' end`;

/** Contains literals instead of parameters, because PostgreSQL can't match a parameterized condition to a partial index. */
export const isActiveJob = sql`${jobs.status} in ${sql.raw(`(${ACTIVE_JOB_STATUSES.map((status) => `'${status}'`).join(', ')})`)}`;

/**
 * True for finished work that no open invoice covers, even if the job was marked as invoiced by hand, or paid before its invoice was
 * canceled. A job that was paid on the spot needs no invoice. An invoice that isn't sent yet is counted with the invoices. Contains literals
 * for the same reason as `isActiveJob`.
 */
export const isUninvoicedJob = sql`${jobs.billed_amount} is null
  and (${jobs.status} in ('complete', 'invoiced') or ${jobs.status} = 'paid' and ${jobs.is_invoice_canceled})`;

export const jobList = defineList({
  table: jobs,
  columns: {
    ...pickColumns(jobs, JobSummary),
    customer: sql<{ id: string; name: string; company_name: string | null } | null>`(select json_build_object('id', ${customers.id},
      'name', ${customers.name}, 'company_name', ${customers.company_name}) from ${customers} where ${isCustomerOfJob})`,
    staff: buildStaffJsonSubquery<{ id: string; name: string; hex_code: string | null } | null>(isStaffOfJob),
    categories: categoriesOfJob,
    timer_status: sql<Job['timer']['timer_status']>`(select ${timerStatusAggregate} from ${time_entries} where ${isTimeEntryOfJob})`,
  },
  sorts: {
    created_at: [jobs.created_at],
    booking_date: [jobs.booking_date, jobs.created_at],
    title: [jobs.title_key, jobs.created_at],
    customer: [jobs.customer_key, jobs.created_at],
    staff: [jobs.staff_key, jobs.created_at],
    category: [jobs.category_key, jobs.created_at],
    status: [jobs.status, jobs.created_at],
  },
  filters: {
    status: jobs.status,
    staff_id: jobs.staff_id,
    customer_id: jobs.customer_id,
    group: (group) => sql`case ${group}::text when 'active' then ${isActiveJob}
      when 'uninvoiced' then ${isUninvoicedJob} else ${ne(jobs.status, 'canceled')} end`,
    created_from: (from) => sql`${jobs.created_at} >= ${from}`,
    created_to: (to) => sql`${jobs.created_at} <= ${to}`,
    booking: (booking) => sql`case ${booking}::text when 'none' then ${jobs.booking_date} is null
      else ${jobs.booking_date} is not null and ${isActiveJob} end`,
    booked_from: (from) => sql`${jobs.booking_date} >= ${from}`,
    booked_to: (to) => sql`${jobs.booking_date} <= ${to}`,
    category_id: (category) => sql`${jobs.id} in (select ${job_categories.job_id} from ${job_categories}
      where ${job_categories.company_id} = ${jobs.company_id} and ${job_categories.category_id} = ${category})`,
  },
  search: { text: jobs.search_text, ranked: { title: jobs.title_key }, rankedSort: 'title' },
});

/** A job with its billing amounts, which some roles must not see. */
export type StoredJob = Job & Pick<typeof jobs.$inferSelect, 'deposit_amount' | 'billed_amount' | 'paid_amount' | 'is_invoice_canceled'>;
interface JobRow extends Omit<StoredJob, 'totals' | 'timer'>, TaxTotals {
  readonly staff_rate: string | null;
  /** The tax rate, in percent, at which the job was quoted, invoiced or paid. Null while the company's current rate applies. */
  readonly frozen_tax_rate: string | null;
  readonly company: {
    readonly gst_percentage: string | null;
    readonly currency: string | null;
    readonly default_hourly_rate: string | null;
  };
  readonly timer: Pick<Job['timer'], 'timer_status' | 'finished_seconds' | 'allocated_seconds' | 'running'>;
}

const sumSeconds = (condition: SQL) =>
  sql`coalesce(sum(extract(epoch from ${time_entries.ended_at} - ${time_entries.started_at})) filter (where ${condition}), 0)::int`;

/** Decimals inside JSON are cast to text, because JSON numbers would be parsed as floats. */
const jobColumns = {
  ...pickColumns(jobs, Job.omit({ customer: true, staff: true, categories: true, items: true, tax_rate: true, totals: true, timer: true })),
  customer: sql`(select json_build_object('id', ${customers.id}, 'name', ${customers.name}, 'company_name', ${customers.company_name},
    'email', ${customers.email}, 'phone', ${customers.phone}, 'address', ${customers.address}) from ${customers} where ${isCustomerOfJob})`,
  staff: buildStaffJsonSubquery(isStaffOfJob, sql`, 'avatar_url', ${staff_members.avatar_url}`),
  staff_rate: staffRateOfJob,
  subtotal: jobs.subtotal,
  tax_amount: jobs.tax_amount,
  total_amount: jobs.total_amount,
  tax_rate: sql`trim_scale(${jobs.priced_rate})::text`,
  frozen_tax_rate: sql`trim_scale(${jobs.tax_rate})::text`,
  categories: categoriesOfJob,
  items: sql`(select coalesce(json_agg(json_build_object('id', ${job_items.id}, 'supplier_item_id', ${selectExistingItemId('job_items')},
      'name', ${job_items.name}, 'description', ${job_items.description}, 'sku', ${job_items.sku},
      'supplier_name', ${job_items.supplier_name}, 'tax_inclusive', ${job_items.tax_inclusive}, 'is_service', ${job_items.is_service},
      'quantity', trim_scale(${job_items.quantity})::text, 'unit_price', ${job_items.unit_price}::text,
      'cost_price', ${job_items.cost_price}::text, 'discount_percent', trim_scale(${job_items.discount_percent})::text,
      'discount_amount', ${job_items.discount_amount}::text, 'discount', ${job_items.discount}::text, 'total_price', ${job_items.total_price}::text,
      'is_fixed_price', ${job_items.is_fixed_price}, 'version', ${job_items.version})
    order by ${job_items.position}, ${job_items.id}), '[]') from ${job_items} where ${isItemOfJob})`,
  company: sql`(select json_build_object('gst_percentage', trim_scale(${companies.gst_percentage})::text, 'currency', ${companies.currency},
    'default_hourly_rate', ${companies.default_hourly_rate}::text) from ${companies} where ${companies.company_id} = ${jobs.company_id})`,
  timer: sql`(select json_build_object('timer_status', ${timerStatusAggregate},
      'finished_seconds', ${sumSeconds(sql`true`)}, 'allocated_seconds', ${sumSeconds(sql`${time_entries.allocated_item_id} is not null`)},
      'running', coalesce(json_agg(json_build_object('id', ${time_entries.id}, 'staff_id', ${time_entries.staff_id},
        'staff_name', ${time_entries.staff_name}, 'started_at', to_char(${time_entries.started_at}, 'YYYY-MM-DD"T"HH24:MI:SS".000Z"'))
        order by ${time_entries.started_at}, ${time_entries.id}) filter (where ${time_entries.ended_at} is null), '[]'))
    from ${time_entries} where ${isTimeEntryOfJob})`,
};

const JOB_BY_ID = prepareSelectFrom<JobRow>(
  'jobs.get',
  jobColumns,
  sql`from ${jobs} where ${jobs.company_id} = ${sql.placeholder('company')} and ${jobs.id} = ${sql.placeholder('id')}`,
);

const JOBS_BY_ID = prepareSelectFrom<JobRow>(
  'jobs.getMany',
  jobColumns,
  sql`from ${jobs} where ${jobs.company_id} = ${sql.placeholder('company')} and ${jobs.id} = any(${sql.placeholder('ids')}::uuid[])`,
);

/**
 * Reads everything that the job page displays, in one statement. After a change of the company's tax rate or currency, a job that isn't
 * repriced yet has the price that `repriceJob` will store, so that people see what a command will bill.
 */
export async function findJob(scope: TenantScope, id: string): Promise<StoredJob | null> {
  const [row] = await scope.run(JOB_BY_ID, { company: scope.companyId, id });
  return row ? toCurrentJob(scope, row) : null;
}

/** Reads the jobs with these ids, like `findJob`. Their order is undefined. */
export async function findJobs(scope: TenantScope, ids: readonly string[]): Promise<StoredJob[]> {
  if (ids.length === 0) return [];
  const rows = await scope.run(JOBS_BY_ID, { company: scope.companyId, ids: `{${ids.join()}}` });
  return rows.map((row) => toCurrentJob(scope, row));
}

function toCurrentJob(scope: TenantScope, row: JobRow): StoredJob {
  const terms = getPriceTerms(row);
  return toStoredJob(scope, isSameRequest(jobs, row, terms) ? row : calculatePrice(row, terms));
}

/** Returns the tax rate and currency that apply to the job: the company's, until the job is quoted, invoiced or paid. */
function getPriceTerms({ frozen_tax_rate, currency, company }: JobRow): Pick<JobRow, 'tax_rate' | 'currency'> {
  if (frozen_tax_rate !== null) return { tax_rate: frozen_tax_rate, currency };
  return { tax_rate: getTaxRate(company.gst_percentage), currency: company.currency };
}

const calculatePrice = (row: JobRow, terms: Pick<JobRow, 'tax_rate' | 'currency'>): JobRow => ({
  ...row,
  ...calculateJobTotals(row, row.items, terms.tax_rate),
  ...terms,
});

/**
 * Calculates the job's totals and stores them. Jobs that aren't quoted, invoiced or paid get the company's current tax rate and currency,
 * which can't change until the transaction ends. Call this after every change to a job's lines, price or tax rate, while holding its lock.
 */
export async function repriceJob(scope: TenantScope, id: string): Promise<StoredJob> {
  await lockPrices(scope, scope.companyId);
  const [row] = await scope.run(JOB_BY_ID, { company: scope.companyId, id });
  if (!row) throw toFailure(jobNotFoundError);
  const priced = calculatePrice(row, getPriceTerms(row));
  const { subtotal, tax_amount, total_amount, tax_rate, currency } = priced;
  if (!isSameRequest(jobs, row, { subtotal, tax_amount, total_amount, tax_rate, currency })) {
    await scope.db
      .update(jobs)
      .set({ subtotal, tax_amount, total_amount, priced_rate: tax_rate, currency })
      .where(inCompany(scope, jobs, id));
  }
  return toStoredJob(scope, priced);
}

function toStoredJob(scope: TenantScope, row: JobRow): StoredJob {
  const { staff_rate, frozen_tax_rate: _, company, timer, subtotal, tax_amount, total_amount, ...job } = row;
  const rates = { staff: staff_rate, job: job.hourly_rate, isJobRateConfirmed: job.hourly_rate_confirmed };
  return {
    ...job,
    // The job of a deleted person has the rate that the queue will store.
    hourly_rate: job.staff === null && job.job_type === 'hourly' ? getRateWithoutDefault(rates) : job.hourly_rate,
    // Null as soon as the customer or staff member is deleted. The queue clears their id only later.
    customer_id: job.customer?.id ?? null,
    staff_id: job.staff?.id ?? null,
    totals: { subtotal, tax_amount, total_amount },
    timer: {
      ...timer,
      hourly_rate: getEffectiveHourlyRate({ ...rates, company: company.default_hourly_rate }),
      server_time: scope.now,
    },
  };
}

export const jobRecordType: RecordType<typeof jobs, StoredJob> = {
  table: jobs,
  idColumn: jobs.id,
  notFound: jobNotFoundError,
  conflicts: {},
  returning: null,
  find: findJob,
};

export async function setJobStatus(
  scope: TenantScope,
  id: string,
  { status, from }: { status: JobStatus; from: JobStatus },
): Promise<void> {
  await scope.db
    .update(jobs)
    .set({ status, updated_at: scope.now, version: sql`${jobs.version} + 1` })
    .where(and(inCompany(scope, jobs, id), eq(jobs.status, from)));
}

/**
 * Stops the job's running timers and returns the staff members they belong to. The caller's own timer stops when they pressed the button, even
 * if their device was offline; nobody else knew of that. Then, it also shortens an entry that something else has ended since, as a pause does.
 */
export async function stopJobTimers(scope: TenantScope, jobId: string): Promise<{ staff_id: string | null; staff_name: string }[]> {
  const { staff_id, started_at, timer_started_at, ended_at, allocated_item_id, original_ended_at, added_by } = time_entries;
  const { actor, now } = scope;
  const madeAt = sql`${getMadeAt(scope)}::timestamptz`;
  const myStaffId = actor.kind === 'person' ? (actor.member?.staffId ?? null) : null;
  const isMine = sql`${staff_id} = ${myStaffId}::uuid and coalesce(${timer_started_at}, ${started_at}) <= ${madeAt}`;
  const isUnchanged = and(isNull(allocated_item_id), isNull(original_ended_at), isNull(added_by));
  const hasEndedLater = getLateMadeAt(scope) === null ? undefined : and(isMine, sql`${ended_at} > ${madeAt}`, isUnchanged);
  return scope.db
    .update(time_entries)
    .set({
      ended_at: buildEntryEnd(sql`case when ${isMine} then ${madeAt} else ${now}::timestamptz end`),
      ...(getLateMadeAt(scope) !== null && {
        arrived_at: sql`case when ${isMine} then ${now}::timestamptz else ${time_entries.arrived_at} end`,
      }),
      version: sql`${time_entries.version} + 1`,
    })
    .where(and(inCompany(scope, time_entries), eq(time_entries.job_id, jobId), or(isNull(ended_at), hasEndedLater)))
    .returning({ staff_id: time_entries.staff_id, staff_name: time_entries.staff_name });
}

/** Builds an end time in whole seconds that is never before the start, even if the server's clock was set back. */
export const buildEntryEnd = (at: string | SQL) => sql`greatest(${time_entries.started_at}, date_trunc('second', (${at})::timestamptz))`;

/** Locks the job until the transaction ends, so that the job and its lines can't change concurrently. */
export async function lockJob(scope: TenantScope, id: string): Promise<Pick<Job, 'status' | 'staff_id'>> {
  const [job] = await scope.db
    .select({ status: jobs.status, staff_id: selectExistingId(jobs.staff_id, staff_members) })
    .from(jobs)
    .where(inCompany(scope, jobs, id))
    .for('no key update');
  if (!job) throw toFailure(jobNotFoundError);
  return job;
}

/** Locks the job until the transaction ends, so that no comments can be added. */
export async function lockJobAndListCommentIds(scope: TenantScope, jobId: string): Promise<string[]> {
  await scope.db
    .select({ id: jobs.id })
    .from(jobs)
    .where(inCompany(scope, jobs, jobId))
    .for('update');
  const comments = await scope.db
    .select({ id: job_comments.id })
    .from(job_comments)
    .where(and(inCompany(scope, job_comments), eq(job_comments.job_id, jobId)));
  return comments.map(({ id }) => id);
}
