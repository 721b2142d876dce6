import { randomUUID } from 'node:crypto';
import { isActive, type JobStatus } from '@callout/domain/jobs/job';
import { lineTotal } from '@callout/domain/money/money';
import { addDays, localDate, zonedInstant } from '@callout/domain/time/zoned-time';
import { recordEvent } from '../features/history/history.sql.ts';
import { insertLine } from '../features/jobs/job-lines.sql.ts';
import { insertJob, keysOf, lockJobNumbers, readCustomerAddress, storeCategories } from '../features/jobs/save-job.sql.ts';
import { findPickedItem } from '../features/suppliers/suppliers.sql.ts';
import { allocateTime } from '../features/timer/run-timer.ts';
import type { Person } from '../platform/db/actor.ts';
import type { TenantScope } from '../platform/db/tenant-scope.ts';
import { insertTimeEntries } from './demo.sql.ts';

interface Work {
  readonly title: string;
  readonly description: string;
  /** The main one first. */
  readonly categories: readonly string[];
  readonly hours: string;
  /** Null for an hourly job. */
  readonly fixedAmount: string | null;
  /** SKU and quantity of what was used. */
  readonly items: readonly (readonly [string, number])[];
}

const work = (
  title: string,
  description: string,
  categories: readonly string[],
  hours: string,
  fixedAmount: string | null,
  items: Work['items'] = [],
): Work => ({ title, description, categories, hours, fixedAmount, items });

/** Most of a plumber's week is paid by the hour; what repeats has a price. */
const WORK: readonly Work[] = [
  work('Replace leaking hot water cylinder', 'Leaking from the base, no hot water since Sunday.', ['Hot water', 'Maintenance'], '3', null, [
    ['EC-180', 1],
    ['TV-20', 1],
    ['CU-22-3', 2],
    ['BV-20', 2],
  ]),
  work('Blocked kitchen drain', 'Sink backs up when the dishwasher runs.', ['Drains'], '1.5', null, [['SV-CALL', 1]]),
  work('Bathroom rough-in', 'New shower and vanity, walls are open.', ['Bathrooms'], '7', null, [
    ['PEX-16-25', 2],
    ['PEX-EL-16', 14],
    ['PEX-TE-16', 6],
    ['PVC-40-3', 3],
  ]),
  work('Gas hob installation', 'Customer supplies the hob. Certificate needed.', ['Gas'], '2', '480.00'),
  work('Annual boiler service', 'Service and pressure test.', ['Heating', 'Maintenance'], '1.5', '220.00'),
  work('Leak under the vanity', 'Bucket is in place. Water off at the toby.', ['Maintenance', 'Bathrooms'], '1', null, [
    ['BT-40-C', 1],
    ['FC-300', 2],
  ]),
  work('Stormwater inspection', 'Camera inspection before the sale, report by email.', ['Drains'], '2', null, [['SV-CAM', 1]]),
  work('Gas leak test', 'Smell reported in the hallway, supply is off.', ['Gas'], '1', null, [
    ['SV-AH', 1],
    ['SV-CERT', 1],
  ]),
  work('Underfloor heating repair', 'Two loops stay cold.', ['Heating'], '5', null, [['PEX-EL-16', 4]]),
  work('Toilet replacement', 'Wall-faced suite is on site.', ['Bathrooms'], '2.5', '640.00'),
  work('Grease trap cleaning', 'Before 9, kitchen door is open.', ['Drains', 'Maintenance'], '1', '180.00'),
  work('Tempering valve upgrade', 'Ten units, access arranged floor by floor.', ['Hot water'], '24', '5200.00'),
  work('Outside tap', 'By the garage, brick wall.', ['Maintenance'], '1', '165.00'),
  work('Radiator does not get warm', 'Bedroom upstairs. Valve is stuck.', ['Heating', 'Maintenance'], '1.5', null, [['TRV-15', 1]]),
  work('Kitchen mixer', 'Old one drips. Customer wants a pull-out.', ['Maintenance'], '1', null, [
    ['KM-02', 1],
    ['FC-300', 2],
  ]),
];

/** Where a job of the demo stands. */
interface Booking {
  readonly status: JobStatus;
  /** Days from today; null is not scheduled. */
  readonly day: number | null;
}

const YEAR = 360;
/** The last weeks are complete; of the months before, some of what was done. */
const BUSY_DAYS = 28;
const JOBS_PER_BUSY_DAY = 3;

function isWorkday(date: string): boolean {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  return weekday !== 0 && weekday !== 6;
}

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

function pastBookings(today: string): Booking[] {
  const days = Array.from({ length: YEAR }, (_, index) => YEAR - index).filter((daysAgo) => isWorkday(addDays(today, -daysAgo)));
  const booked = days.flatMap((daysAgo) => {
    if (daysAgo <= BUSY_DAYS) return Array.from({ length: JOBS_PER_BUSY_DAY }, () => daysAgo);
    return daysAgo % 2 === 0 ? [daysAgo] : [];
  });
  return booked.map((daysAgo, index) => ({ status: outcome(daysAgo, index), day: -daysAgo }));
}

const planned = (status: JobStatus, ...days: (number | null)[]): Booking[] => days.map((day) => ({ status, day }));

const PLANNED: readonly Booking[] = [
  ...planned('booked', 0, 0, 0, 1, 1, 2, 2, 3, 4, 5, 7, 8, 9, 11, 14, 18, 23),
  ...planned('contacted', 6, 10, 14, null, null),
  ...planned('pending', null, null, null, null, 20, 26),
];

const HOURS = ['08:00', '10:30', '13:00', '15:15'];
/** How long before its booking a job was taken on. */
const LEAD_DAYS = 9;
/** At most so long before the next one. */
const MAX_HOURS = 4;
/** The time of the last days has not been billed yet. */
const UNBILLED_DAYS = 4;

/** Somebody who does jobs. */
export interface Worker {
  readonly person: Person;
  readonly staffId: string;
}

interface DemoFirm {
  readonly zone: string;
  readonly now: Date;
  readonly customerIds: readonly string[];
  readonly workers: readonly Worker[];
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

/** An hour ago or more. */
function lastFullHour(now: Date): string {
  return new Date(Math.floor(now.getTime() / 3_600_000 - 1) * 3_600_000).toISOString();
}

const later = (instant: string, hours: number) => new Date(Date.parse(instant) + hours * 3_600_000).toISOString();

/** In the order they came in, as their numbers follow it. */
export function demoJobs(firm: DemoFirm): DemoJob[] {
  const { zone, now, customerIds, workers, categoryIds, itemIds } = firm;
  const today = localDate(now.toISOString(), zone);
  const past = pastBookings(today);
  return [...past, ...PLANNED]
    .map(({ status, day }, index): DemoJob => {
      // The first planned job is under way right now.
      const isUnderWay = index === past.length;
      const { items, categories, hours, fixedAmount, title, description } = pick(WORK, isUnderWay ? 0 : index * 7);
      const worker = pick(workers, isUnderWay ? workers.length - 1 : index);
      const createdAt = zonedInstant(
        addDays(today, Math.min(day ?? -(index % 5), 0) - LEAD_DAYS + (index % 6)),
        pick(HOURS, index + 1),
        zone,
      );
      const planned_date = day === null ? null : zonedInstant(addDays(today, day), pick(HOURS, index), zone);
      const booking_date = isUnderWay ? lastFullHour(now) : planned_date;
      const isDone = !isActive(status) && status !== 'canceled';
      const completedAt = isDone && booking_date !== null ? later(booking_date, Number(hours) + 0.25) : null;
      const job = {
        id: randomUUID(),
        title,
        description,
        // Sending its invoice and paying it make it invoiced and paid.
        status: isDone ? ('complete' as const) : status,
        job_type: fixedAmount === null ? ('hourly' as const) : ('fixed' as const),
        fixed_amount: fixedAmount,
        hourly_rate: fixedAmount === null ? '95.00' : null,
        booking_date,
        duration: hours,
        customer_id: pick(customerIds, index * 5),
        staff_id: day === null ? null : worker.staffId,
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
            await addItem({ ...scope, now: booking_date ?? scope.now }, job.id, itemIds.get(sku) ?? '', quantity);
        if (completedAt === null || day === null || booking_date === null) return;
        const finished = { ...scope, actor: worker.person, now: completedAt };
        for (const [sku, quantity] of items) await addItem(finished, job.id, itemIds.get(sku) ?? '', quantity);
        if (fixedAmount === null) {
          const minutes = await addTime(finished, { ...job, job_number, started: booking_date, worker });
          const quantity = Math.max(1, Math.round(minutes / 60));
          const allocation = { id: randomUUID(), job_id: job.id, supplier_item_id: itemIds.get('SV-HOUR') ?? '', quantity };
          if (day < -UNBILLED_DAYS) await allocateTime(finished, allocation);
        }
        await recordEvent(finished, 'job', job.id, 'edited', { status: ['booked', 'complete'] });
      };
      return { id: job.id, title, status, isUnderWay, worker, at: booking_date ?? createdAt, createdAt, completedAt, add };
    })
    .toSorted((one, other) => one.createdAt.localeCompare(other.createdAt));
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
  readonly worker: Worker;
}

/** Before and after a break, some minutes more or less than planned. Returns how many. */
async function addTime(scope: TenantScope, job: TimedJob): Promise<number> {
  const drift = (Number(job.job_number.slice(-2)) - 50) / 200;
  // The next job of the day is waiting.
  const hours = Math.min(Number(job.duration), MAX_HOURS) * (1 + drift);
  const entry = { job, staffId: job.worker.staffId };
  await insertTimeEntries(scope, [
    { ...entry, started_at: job.started, ended_at: later(job.started, hours * 0.6) },
    { ...entry, started_at: later(job.started, hours * 0.6 + 0.1), ended_at: later(job.started, hours + 0.1) },
  ]);
  return hours * 60;
}
