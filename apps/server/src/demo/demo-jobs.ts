import { randomUUID } from 'node:crypto';
import type { NewCustomer } from '@callout/contract/customers';
import { isActiveStatus, type JobStatus } from '@callout/domain/jobs/job';
import { calculateLinePrice } from '@callout/domain/jobs/line-price';
import { DAY_MS, HOUR_MS } from '@callout/domain/time/time-units';
import { addDays, toInstant, toLocalDate } from '@callout/domain/time/zoned-time';
import { recordEvent } from '../features/history/history.sql.ts';
import { insertJobLine } from '../features/jobs/job-lines.sql.ts';
import { repriceJob } from '../features/jobs/jobs.sql.ts';
import { findCustomerAddress, insertJob, replaceJobCategories } from '../features/jobs/save-job.sql.ts';
import { findPickedItem } from '../features/suppliers/suppliers.sql.ts';
import { addTime } from '../features/timer/add-time.ts';
import { allocateTime } from '../features/timer/track-time.ts';
import type { TenantScope } from '../platform/db/tenant-scope.ts';
import { insertTimeEntries } from './demo.sql.ts';
import { addHours, buildPlannedJobs, type Crew, isWorkday, type PlannedJob, type Worker } from './demo-plan.ts';
import { COMMON_WORK } from './demo-work.ts';

const HISTORY_DAYS = 360;
/** Number of days before today that are fully booked. Earlier months have only some jobs. */
const BUSY_DAYS = 28;
const JOBS_PER_BUSY_DAY = 3;
/** The cylinder of the job in progress, so that the demo has a discounted line. */
const DISCOUNTED_SKU = 'EC-180';

/** Returns a past job's status. Recent jobs are often unpaid, and most older jobs are paid. */
function getPastStatus(daysAgo: number, index: number): JobStatus {
  if (index % 19 === 7) return 'canceled';
  if (daysAgo <= UNBILLED_DAYS) return 'complete';
  if (daysAgo <= 25) return index % 3 === 0 ? 'complete' : index % 5 === 1 ? 'paid' : 'invoiced';
  if (daysAgo <= 60) return index % 4 === 0 ? 'invoiced' : 'paid';
  // A few old jobs stay unpaid, so that the demo has overdue invoices.
  if (daysAgo <= 105) return index % 5 === 4 ? 'invoiced' : 'paid';
  return daysAgo <= 180 && index % 11 === 4 ? 'invoiced' : 'paid';
}

const START_TIMES = ['08:00', '10:30', '13:00', '15:15'];
/** Jobs are created up to this many days before their booking. */
const MAX_LEAD_DAYS = 9;
/** Limits the length of past jobs, so that a worker's bookings don't overlap. */
const MAX_JOB_HOURS = 4;
/** Time worked in the last few days has not been billed yet. */
const UNBILLED_DAYS = 4;
const UNBILLED_MS = UNBILLED_DAYS * DAY_MS;

function buildPastJobs(today: string, zone: string, { josh, sam }: Crew): PlannedJob[] {
  const bookings = Array.from({ length: HISTORY_DAYS }, (_, index) => HISTORY_DAYS - index).flatMap((daysAgo) => {
    if (!isWorkday(addDays(today, -daysAgo))) return [];
    if (daysAgo <= BUSY_DAYS) return Array.from({ length: JOBS_PER_BUSY_DAY }, () => daysAgo);
    return daysAgo % 2 === 0 ? [daysAgo] : [];
  });
  return bookings.map((daysAgo, index) => {
    const work = pickByIndex(COMMON_WORK, index * 7);
    return {
      work,
      status: getPastStatus(daysAgo, index),
      worker: pickByIndex([josh, sam], index),
      start: toInstant(addDays(today, -daysAgo), pickByIndex(START_TIMES, index), zone),
      hours: String(Math.min(Number(work.hours), MAX_JOB_HOURS)),
      createdAt: toInstant(addDays(today, (index % 6) - MAX_LEAD_DAYS - daysAgo), pickByIndex(START_TIMES, index + 1), zone),
      isInProgress: false,
    };
  });
}

interface JobPlan {
  readonly zone: string;
  readonly now: Date;
  readonly customers: readonly NewCustomer[];
  readonly crew: Crew;
  readonly categoryIds: ReadonlyMap<string, string>;
  /** Price list item ids by SKU. */
  readonly itemIds: ReadonlyMap<string, string>;
}

export interface DemoJob {
  readonly id: string;
  readonly title: string;
  readonly status: JobStatus;
  readonly isInProgress: boolean;
  readonly worker: Worker;
  /** Start of the booking, or the job's creation time if there is no booking. */
  readonly startsAt: string;
  readonly createdAt: string;
  /** Null until the job is done. */
  readonly completedAt: string | null;
  readonly insert: (scope: TenantScope) => Promise<void>;
}

/** Returns the jobs in order of creation, because job numbers are assigned in that order. */
export function buildDemoJobs({ zone, now, customers, crew, categoryIds, itemIds }: JobPlan): DemoJob[] {
  const today = toLocalDate(now.toISOString(), zone);
  return [...buildPastJobs(today, zone, crew), ...buildPlannedJobs(now.toISOString(), zone, crew)]
    .map(({ work, customer, status, worker, start, hours, createdAt, isInProgress }, index): DemoJob => {
      const { items, categories, fixedAmount, title, description } = work;
      const isDone = !isActiveStatus(status) && status !== 'canceled';
      const completedAt = isDone && start !== null ? addHours(start, Number(hours)) : null;
      const job = {
        id: randomUUID(),
        title,
        description,
        // The events from `buildBillingEvents` later mark finished jobs as invoiced or paid.
        status: isDone ? ('complete' as const) : status,
        job_type: fixedAmount === null ? ('hourly' as const) : ('fixed' as const),
        fixed_amount: fixedAmount,
        hourly_rate: fixedAmount === null ? '95.00' : null,
        booking_date: start,
        duration: hours,
        customer_id: customer === undefined ? pickByIndex(customers, index * 5).id : getCustomerId(customers, customer),
        staff_id: start === null ? null : worker.staffId,
      };
      const insert = async (scope: TenantScope) => {
        const address = await findCustomerAddress(scope, job.customer_id);
        const job_number = await insertJob(scope, { ...job, address });
        await replaceJobCategories(
          scope,
          job.id,
          categories.flatMap((name) => categoryIds.get(name) ?? []),
        );
        await recordEvent(scope, 'job', job.id, 'created');
        if (isInProgress && start !== null) {
          for (const [sku, quantity] of items) {
            const discount_percent = sku === DISCOUNTED_SKU ? '10' : null;
            await addJobLine({ ...scope, now: start }, job.id, itemIds.get(sku) ?? '', quantity, discount_percent);
          }
          // Just after midnight, even the earliest plan for today lies ahead.
          const arrival = start < now.toISOString() ? start : addHours(now.toISOString(), -1);
          const pickUp = { id: randomUUID(), job_id: job.id, started_at: addHours(arrival, -0.75), ended_at: addHours(arrival, -0.25) };
          await addTime({ ...scope, actor: worker.person, now: arrival }, pickUp);
        }
        if (completedAt === null || start === null) return;
        const workerScope = { ...scope, actor: worker.person, now: completedAt };
        for (const [sku, quantity] of items) await addJobLine(workerScope, job.id, itemIds.get(sku) ?? '', quantity);
        if (fixedAmount === null) {
          const minutes = await addTimeEntries(workerScope, { ...job, job_number, startedAt: start, latestEnd: now.toISOString(), worker });
          const quantity = Math.max(1, Math.round(minutes / 60));
          const supplier_item_id = itemIds.get('SV-HOUR') ?? '';
          const allocation = { id: randomUUID(), job_id: job.id, supplier_item_id, tax_inclusive: true, quantity };
          if (Date.parse(start) < now.getTime() - UNBILLED_MS) await allocateTime(workerScope, allocation);
        }
        await recordEvent(workerScope, 'job', job.id, 'edited', { status: ['booked', 'complete'] });
      };
      return { id: job.id, title, status, isInProgress, worker, startsAt: start ?? createdAt, createdAt, completedAt, insert };
    })
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
}

function getCustomerId(customers: readonly NewCustomer[], displayName: string): string {
  const customer = customers.find(({ name, company_name }) => (company_name ?? name) === displayName);
  if (!customer) throw new Error(`The demo has no customer named ${displayName}`);
  return customer.id;
}

function pickByIndex<Value>(values: readonly Value[], index: number): Value {
  const value = values[index % values.length];
  if (value === undefined) throw new Error('Cannot pick from an empty list');
  return value;
}

export async function addJobLine(
  scope: TenantScope,
  jobId: string,
  itemId: string,
  count: number,
  discount_percent: string | null = null,
): Promise<void> {
  const item = await findPickedItem(scope, itemId);
  if (!item) throw new Error(`The demo has no price list item ${itemId}`);
  const quantity = String(count);
  const priced = { quantity, unit_price: item.selling_price, discount_percent, discount_amount: null };
  const line = { id: randomUUID(), job_id: jobId, supplier_item_id: itemId, ...priced, ...calculateLinePrice(priced) };
  await insertJobLine(scope, line, item);
  await repriceJob(scope, jobId);
}

interface TimedJob {
  readonly id: string;
  readonly job_number: string;
  readonly title: string;
  readonly duration: string;
  readonly startedAt: string;
  readonly latestEnd: string;
  readonly worker: Worker;
}

const BREAK_HOURS = 0.1;

/** Adds two time entries with a break in between, slightly longer or shorter than planned. Returns the worked minutes. */
async function addTimeEntries(scope: TenantScope, job: TimedJob): Promise<number> {
  const drift = (Number(job.job_number.slice(-2)) - 50) / 200;
  const sinceStart = (Date.parse(job.latestEnd) - Date.parse(job.startedAt)) / HOUR_MS;
  const hours = Math.min(Number(job.duration) * (1 + drift), sinceStart - BREAK_HOURS);
  const entry = { job, staffId: job.worker.staffId };
  await insertTimeEntries(scope, [
    { ...entry, started_at: job.startedAt, ended_at: addHours(job.startedAt, hours * 0.6) },
    { ...entry, started_at: addHours(job.startedAt, hours * 0.6 + BREAK_HOURS), ended_at: addHours(job.startedAt, hours + BREAK_HOURS) },
  ]);
  return hours * 60;
}
