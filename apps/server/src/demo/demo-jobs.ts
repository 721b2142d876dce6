import { randomUUID } from 'node:crypto';
import type { NewCustomer } from '@callout/contract/customers';
import { isActive, type JobStatus } from '@callout/domain/jobs/job';
import { lineTotal } from '@callout/domain/money/money';
import { DAY_MS, HOUR_MS } from '@callout/domain/time/time-units';
import { addDays, localDate, zonedInstant } from '@callout/domain/time/zoned-time';
import { recordEvent } from '../features/history/history.sql.ts';
import { insertLine } from '../features/jobs/job-lines.sql.ts';
import { insertJob, keysOf, lockJobNumbers, readCustomerAddress, storeCategories } from '../features/jobs/save-job.sql.ts';
import { findPickedItem } from '../features/suppliers/suppliers.sql.ts';
import { allocateTime } from '../features/timer/run-timer.ts';
import type { TenantScope } from '../platform/db/tenant-scope.ts';
import { insertTimeEntries } from './demo.sql.ts';
import { type Crew, isWorkday, type PlannedJob, plannedJobs, type Worker } from './demo-plan.ts';
import { hoursLater } from './demo-time.ts';
import { WORK } from './demo-work.ts';

const YEAR = 360;
/** The last weeks are complete; of the months before, some of what was done. */
const BUSY_DAYS = 28;
const JOBS_PER_BUSY_DAY = 3;

/** What became of a job that was booked so many days ago. */
function outcome(daysAgo: number, index: number): JobStatus {
  if (index % 19 === 7) return 'canceled';
  if (daysAgo <= UNBILLED_DAYS) return 'complete';
  if (daysAgo <= 25) return index % 3 === 0 ? 'complete' : index % 5 === 1 ? 'paid' : 'invoiced';
  if (daysAgo <= 60) return index % 4 === 0 ? 'invoiced' : 'paid';
  // A few never pay.
  if (daysAgo <= 105) return index % 5 === 4 ? 'invoiced' : 'paid';
  return daysAgo <= 180 && index % 11 === 4 ? 'invoiced' : 'paid';
}

const HOURS = ['08:00', '10:30', '13:00', '15:15'];
/** How long before its booking a job was taken on. */
const LEAD_DAYS = 9;
/** At most so long before the next one. */
const MAX_HOURS = 4;
/** The time of the last days has not been billed yet. */
const UNBILLED_DAYS = 4;
const UNBILLED_MS = UNBILLED_DAYS * DAY_MS;

function pastJobs(today: string, zone: string, { josh, sam }: Crew): PlannedJob[] {
  const days = Array.from({ length: YEAR }, (_, index) => YEAR - index).filter((daysAgo) => isWorkday(addDays(today, -daysAgo)));
  const booked = days.flatMap((daysAgo) => {
    if (daysAgo <= BUSY_DAYS) return Array.from({ length: JOBS_PER_BUSY_DAY }, () => daysAgo);
    return daysAgo % 2 === 0 ? [daysAgo] : [];
  });
  return booked.map((daysAgo, index) => {
    const job = pick(WORK, index * 7);
    return {
      work: job,
      status: outcome(daysAgo, index),
      worker: pick([josh, sam], index),
      start: zonedInstant(addDays(today, -daysAgo), pick(HOURS, index), zone),
      hours: String(Math.min(Number(job.hours), MAX_HOURS)),
      createdAt: zonedInstant(addDays(today, (index % 6) - LEAD_DAYS - daysAgo), pick(HOURS, index + 1), zone),
      isUnderWay: false,
    };
  });
}

interface DemoFirm {
  readonly zone: string;
  readonly now: Date;
  readonly customers: readonly NewCustomer[];
  readonly crew: Crew;
  readonly categoryIds: ReadonlyMap<string, string>;
  /** By SKU. */
  readonly itemIds: ReadonlyMap<string, string>;
}

export interface DemoJob {
  readonly id: string;
  readonly title: string;
  readonly status: JobStatus;
  readonly isUnderWay: boolean;
  readonly worker: Worker;
  /** The start of the booking; without one, when it was taken on. */
  readonly at: string;
  readonly createdAt: string;
  /** Null while it is not done. */
  readonly completedAt: string | null;
  readonly add: (scope: TenantScope) => Promise<void>;
}

/** In the order they came in, as their numbers follow it. */
export function demoJobs({ zone, now, customers, crew, categoryIds, itemIds }: DemoFirm): DemoJob[] {
  const today = localDate(now.toISOString(), zone);
  return [...pastJobs(today, zone, crew), ...plannedJobs(now.toISOString(), zone, crew)]
    .map(({ work, customer, status, worker, start, hours, createdAt, isUnderWay }, index): DemoJob => {
      const { items, categories, fixedAmount, title, description } = work;
      const isDone = !isActive(status) && status !== 'canceled';
      const completedAt = isDone && start !== null ? hoursLater(start, Number(hours)) : null;
      const job = {
        id: randomUUID(),
        title,
        description,
        // Sending its invoice and paying it make it invoiced and paid.
        status: isDone ? ('complete' as const) : status,
        job_type: fixedAmount === null ? ('hourly' as const) : ('fixed' as const),
        fixed_amount: fixedAmount,
        hourly_rate: fixedAmount === null ? '95.00' : null,
        booking_date: start,
        duration: hours,
        customer_id: customer === undefined ? pick(customers, index * 5).id : customerNamed(customers, customer),
        staff_id: start === null ? null : worker.staffId,
      };
      const add = async (scope: TenantScope) => {
        const job_number = await (await lockJobNumbers(scope))();
        const address = await readCustomerAddress(scope, job.customer_id);
        await insertJob(scope, { ...job, job_number, address, ...keysOf(job, job_number) });
        await storeCategories(
          scope,
          job.id,
          categories.flatMap((name) => categoryIds.get(name) ?? []),
        );
        await recordEvent(scope, 'job', job.id, 'created');
        if (isUnderWay)
          for (const [sku, quantity] of items)
            await addItem({ ...scope, now: start ?? scope.now }, job.id, itemIds.get(sku) ?? '', quantity);
        if (completedAt === null || start === null) return;
        const finished = { ...scope, actor: worker.person, now: completedAt };
        for (const [sku, quantity] of items) await addItem(finished, job.id, itemIds.get(sku) ?? '', quantity);
        if (fixedAmount === null) {
          const minutes = await addTime(finished, { ...job, job_number, started: start, latestEnd: now.toISOString(), worker });
          const quantity = Math.max(1, Math.round(minutes / 60));
          const allocation = { id: randomUUID(), job_id: job.id, supplier_item_id: itemIds.get('SV-HOUR') ?? '', quantity };
          if (Date.parse(start) < now.getTime() - UNBILLED_MS) await allocateTime(finished, allocation);
        }
        await recordEvent(finished, 'job', job.id, 'edited', { status: ['booked', 'complete'] });
      };
      return { id: job.id, title, status, isUnderWay, worker, at: start ?? createdAt, createdAt, completedAt, add };
    })
    .toSorted((one, other) => one.createdAt.localeCompare(other.createdAt));
}

function customerNamed(customers: readonly NewCustomer[], wanted: string): string {
  const found = customers.find(({ name, company_name }) => (company_name ?? name) === wanted);
  if (!found) throw new Error(`The demo firm does not work for ${wanted}`);
  return found.id;
}

function pick<Value>(values: readonly Value[], index: number): Value {
  const value = values[index % values.length];
  if (value === undefined) throw new Error('The demo firm has nothing to choose from');
  return value;
}

export async function addItem(scope: TenantScope, jobId: string, itemId: string, count: number): Promise<void> {
  const item = await findPickedItem(scope, itemId);
  if (!item) throw new Error('The demo firm does not sell this');
  const quantity = String(count);
  const total_price = lineTotal(item.selling_price, quantity);
  const line = { id: randomUUID(), job_id: jobId, supplier_item_id: itemId, quantity, unit_price: item.selling_price, total_price };
  await insertLine(scope, line, item);
}

interface TimedJob {
  readonly id: string;
  readonly job_number: string;
  readonly title: string;
  readonly duration: string;
  readonly started: string;
  readonly latestEnd: string;
  readonly worker: Worker;
}

const BREAK_HOURS = 0.1;

/** Before and after a break, some minutes more or less than planned. Returns how many. */
async function addTime(scope: TenantScope, job: TimedJob): Promise<number> {
  const drift = (Number(job.job_number.slice(-2)) - 50) / 200;
  const sinceStart = (Date.parse(job.latestEnd) - Date.parse(job.started)) / HOUR_MS;
  const hours = Math.min(Number(job.duration) * (1 + drift), sinceStart - BREAK_HOURS);
  const entry = { job, staffId: job.worker.staffId };
  await insertTimeEntries(scope, [
    { ...entry, started_at: job.started, ended_at: hoursLater(job.started, hours * 0.6) },
    { ...entry, started_at: hoursLater(job.started, hours * 0.6 + BREAK_HOURS), ended_at: hoursLater(job.started, hours + BREAK_HOURS) },
  ]);
  return hours * 60;
}
