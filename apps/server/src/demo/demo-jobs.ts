import { randomUUID } from 'node:crypto';
import type { JobStatus, JobType } from '@callout/domain/jobs/job';
import { addDays, localDate, zonedInstant } from '@callout/domain/time/zoned-time';
import { recordEvent } from '../features/history/history.sql.ts';
import { insertJob, keysOf, lockJobNumbers, readCustomerAddress, storeCategories } from '../features/jobs/jobs.sql.ts';
import type { TenantScope } from '../platform/db/tenant-scope.ts';

/** Title, description, categories with the main one first, hours, and the fixed amount, or null for an hourly job. */
type Work = readonly [string, string, readonly string[], string, string | null];

const WORK: readonly Work[] = [
  ['Replace leaking hot water cylinder', 'Leaking from the base, no hot water since Sunday.', ['Hot water', 'Maintenance'], '3', '2109.79'],
  ['Blocked kitchen drain', 'Sink backs up when the dishwasher runs.', ['Drains'], '1.5', null],
  ['Bathroom rough-in', 'New shower and vanity, walls are open.', ['Bathrooms'], '16', '3450.00'],
  ['Gas hob installation', 'Customer supplies the hob. Certificate needed.', ['Gas'], '2', '480.00'],
  ['Annual boiler service', 'Service and pressure test.', ['Heating', 'Maintenance'], '1.5', '220.00'],
  ['Leak under the vanity', 'Bucket is in place. Water off at the toby.', ['Maintenance', 'Bathrooms'], '1', null],
  ['Stormwater inspection', 'Camera inspection before the sale, report by email.', ['Drains'], '2', '390.00'],
  ['Gas leak test', 'Smell reported in the hallway, supply is off.', ['Gas'], '1', null],
  ['Underfloor heating repair', 'Two loops stay cold.', ['Heating'], '6', null],
  ['Toilet replacement', 'Wall-faced suite is on site.', ['Bathrooms'], '2.5', '640.00'],
  ['Grease trap cleaning', 'Before 9, kitchen door is open.', ['Drains', 'Maintenance'], '1', '180.00'],
  ['Tempering valve upgrade', 'Ten units, access arranged floor by floor.', ['Hot water'], '24', '5200.00'],
  ['Outside tap', 'By the garage, brick wall.', ['Maintenance'], '1', '165.00'],
];

interface Booking {
  readonly status: JobStatus;
  /** Days from today; null is not scheduled. */
  readonly day: number | null;
}

const done = (status: JobStatus, ...days: number[]): Booking[] => days.map((day) => ({ status, day: -day }));
const planned = (status: JobStatus, ...days: number[]): Booking[] => days.map((day) => ({ status, day }));

/** A year of work, every status of it. */
const BOOKINGS: readonly Booking[] = [
  ...done('paid', 352, 331, 318, 296, 281, 263, 247, 229, 211, 196, 178, 160, 143, 121, 104),
  ...done('canceled', 190, 66),
  ...done('paid', 88, 74, 52),
  ...done('invoiced', 45, 33, 21, 16, 12),
  ...done('complete', 8, 5, 3, 1),
  ...planned('booked', 0, 0, 1, 2, 4, 7, 11),
  ...planned('contacted', 6, 14),
  { status: 'contacted', day: null },
  { status: 'pending', day: null },
  { status: 'pending', day: null },
  { status: 'pending', day: 20 },
];

const HOURS = ['08:00', '10:30', '13:00', '15:15'];
/** How long before its booking a job was taken on. */
const LEAD_DAYS = 9;

const typeOf = (fixedAmount: string | null): JobType => (fixedAmount === null ? 'hourly' : 'fixed');

interface DemoFirm {
  readonly zone: string;
  readonly now: Date;
  readonly customerIds: readonly string[];
  readonly staffIds: readonly string[];
  readonly categoryIds: ReadonlyMap<string, string>;
}

export interface DemoJob {
  readonly createdAt: string;
  readonly add: (scope: TenantScope) => Promise<void>;
}

/** In the order they came in, as their numbers follow it. */
export function demoJobs({ zone, now, customerIds, staffIds, categoryIds }: DemoFirm): DemoJob[] {
  const today = localDate(now.toISOString(), zone);
  const pick = <Value>(values: readonly Value[], index: number): Value => {
    const value = values[index % values.length];
    if (value === undefined) throw new Error('The demo firm has nothing to choose from');
    return value;
  };
  return BOOKINGS.map(({ status, day }, index) => {
    const [title, description, categories, duration, fixedAmount] = pick(WORK, index);
    const createdDay = addDays(today, Math.min(day ?? -index % 5, 0) - LEAD_DAYS + (index % 6));
    const job = {
      id: randomUUID(),
      title,
      description,
      status,
      job_type: typeOf(fixedAmount),
      fixed_amount: fixedAmount,
      hourly_rate: fixedAmount === null ? '95.00' : null,
      booking_date: day === null ? null : zonedInstant(addDays(today, day), pick(HOURS, index), zone),
      duration,
      customer_id: pick(customerIds, index * 5),
      staff_id: day === null ? null : pick(staffIds, index),
    };
    return {
      createdAt: zonedInstant(createdDay, pick(HOURS, index + 1), zone),
      add: async (scope: TenantScope) => {
        const job_number = await (await lockJobNumbers(scope))();
        const address = await readCustomerAddress(scope, job.customer_id);
        await insertJob(scope, { ...job, job_number, address, ...keysOf(job, job_number) });
        await storeCategories(
          scope,
          job.id,
          categories.flatMap((name) => categoryIds.get(name) ?? []),
        );
        await recordEvent(scope, 'job', job.id, 'created');
      },
    };
  }).toSorted((one, other) => one.createdAt.localeCompare(other.createdAt));
}
