import { Id, requiredText } from '@callout/contract/fields';
import { type Job, NewJob } from '@callout/contract/jobs';
import { DEFAULT_EVENT_HOURS, takesTime } from '@callout/domain/calendar/calendar-event';
import { DURATION_STEP, DURATION_UNITS, durationInHours, MIN_DURATION_HOURS, shownDuration } from '@callout/domain/durations/duration';
import { formatCount } from '@callout/domain/text/count-text';
import { fieldTime, wallTime } from '@callout/domain/time/wall-time';
import { localDate, zonedInstant } from '@callout/domain/time/zoned-time';
import { z } from 'zod';
import { defineForm } from '../../lib/form-definition.ts';
import type { TypedBooking } from './job-fields.tsx';
import { STATUS_CHOICES } from './job-filter.ts';

const { title, description, staff_id, status, use_alternate_address, address, job_type, fixed_amount, hourly_rate } = NewJob.shape;

/** What a job's form holds. Date and time are those of the zone that was shown when it was opened. */
const JobFields = z.object({
  /** Of a new job only; the server checks it. */
  customer_id: z.string(),
  title,
  description,
  /** The main one first. */
  categories: z.array(z.object({ id: Id, name: z.string() })),
  staff_id,
  booking_date: z.iso.date('Booking date is required'),
  booking_time: z.iso.time({ precision: -1, error: 'Booking time is required' }),
  duration: requiredText('Duration', 10),
  duration_unit: z.enum(DURATION_UNITS),
  status,
  job_type,
  fixed_amount,
  hourly_rate,
  use_alternate_address,
  address,
});

/** The calendar makes quarters of an hour; a job that has some may keep them. */
const QUARTER_STEP = '0.25';

const schemaOf = (hourStep: string) =>
  JobFields.refine((job) => durationProblem(job, hourStep) === undefined, {
    error: ({ input }) => durationProblem(input as TypedDuration, hourStep),
    path: ['duration'],
    when: () => true,
  }).refine((job) => !job.use_alternate_address || job.address, {
    error: 'Alternate address is required',
    path: ['address'],
    when: () => true,
  });

type TypedDuration = Pick<z.output<typeof JobFields>, 'duration' | 'duration_unit'>;

const MOST: Record<TypedDuration['duration_unit'], number> = { hours: 9_999, days: 416 };

function durationProblem({ duration: value, duration_unit: unit }: TypedDuration, hourStep: string): string | undefined {
  if (!value) return undefined;
  if (!/^-?\d+(\.\d+)?$/.test(value.trim())) return 'Duration must be a number';
  const amount = Number(value);
  if (amount > MOST[unit]) return `Duration must be at most ${formatCount(MOST[unit])} ${unit}`;
  const step = unit === 'hours' ? hourStep : DURATION_STEP;
  const isStep = amount >= Number(MIN_DURATION_HOURS) && amount % Number(step) === 0;
  return isStep ? undefined : `Duration must be at least ${MIN_DURATION_HOURS} ${unit}, in steps of ${step}`;
}

const isHourly = ({ job_type: type }: { job_type: string }) => type === 'hourly';

const formOf = (hourStep: string, zone: string) =>
  defineForm({
    schema: schemaOf(hourStep),
    from: (job: Job) => {
      const { value, unit } = shownDuration(job.duration ?? '1');
      return {
        customer_id: job.customer_id,
        title: job.title,
        description: job.description,
        categories: job.categories,
        staff_id: job.staff_id,
        ...(job.booking_date ? bookingFields(job.booking_date, zone) : { booking_date: '', booking_time: DEFAULT_TIME }),
        duration: value,
        duration_unit: unit,
        status: job.status,
        job_type: job.job_type,
        fixed_amount: job.fixed_amount,
        hourly_rate: job.hourly_rate,
        use_alternate_address: hasAlternateAddress(job),
        address: hasAlternateAddress(job) ? job.address : null,
      };
    },
    fields: {
      customer_id: { label: 'Customer' },
      title: { label: 'Title', width: 'full' },
      description: {
        label: 'Description',
        input: 'lines',
        width: 'full',
        hint: "Printed on the customer's invoice. Key codes and private notes belong in comments.",
      },
      categories: { label: 'Categories', rows: { name: { label: 'Name' } } },
      staff_id: { label: 'Assigned staff', input: 'select', width: 'full' },
      booking_date: { label: 'Booking date' },
      booking_time: { label: 'Booking time' },
      duration: { label: 'Duration', input: 'decimal' },
      duration_unit: {
        label: 'Duration unit',
        input: 'select',
        choices: [
          { value: 'hours', label: 'Hours' },
          { value: 'days', label: 'Days' },
        ],
        initial: 'hours',
      },
      status: { label: 'Status', input: 'radio', width: 'full', choices: STATUS_CHOICES, initial: 'pending' },
      job_type: {
        label: 'Job type',
        input: 'radio',
        choices: [
          { value: 'fixed', label: 'Fixed' },
          { value: 'hourly', label: 'Hourly' },
        ],
        initial: 'fixed',
      },
      fixed_amount: { label: 'Fixed amount', input: 'decimal', hiddenWhen: isHourly, keepHidden: true },
      hourly_rate: { label: 'Hourly rate', input: 'decimal', hiddenWhen: (job) => !isHourly(job), keepHidden: true },
      use_alternate_address: { label: 'Use alternate address', width: 'full', hint: "Otherwise we use the customer's address." },
      address: {
        label: 'Alternate address',
        input: 'lines',
        optional: false,
        width: 'full',
        hiddenWhen: (job) => !job.use_alternate_address,
      },
    },
  });

export type JobForm = ReturnType<typeof formOf>;

/** The form of a new job, or of a stored one, which may have quarter hours; in the zone that was shown when it was opened. */
export const formFor = (zone: string, { duration }: Pick<Job, 'duration'> = { duration: null }): JobForm =>
  formOf(Number(duration) % Number(DURATION_STEP) === 0 ? DURATION_STEP : QUARTER_STEP, zone);

export type JobValues = JobForm['initial'];
export type JobFormOutput = z.output<typeof JobFields>;

const DEFAULT_TIME = '08:00';

/** Not stored: the job has its own address when that is not the customer's. */
function hasAlternateAddress({ address: own, customer }: Job): boolean {
  return own !== null && own !== customer?.address;
}

function bookingFields(instant: string, zone: string) {
  return { booking_date: localDate(instant, zone), booking_time: fieldTime(wallTime(instant, zone)) };
}

/** When and for whom a job begins that was started at a free time of the calendar. */
export interface WantedBooking {
  /** 'yyyy-MM-dd' and 'HH:mm' in the shown zone. */
  readonly date?: string | undefined;
  readonly time?: string | undefined;
  readonly staff?: string | undefined;
}

export function newJobValues(
  now: Date,
  zone: string,
  { customerId, hourlyRate, booking }: { customerId: string; hourlyRate: string | null; booking: WantedBooking },
): Partial<JobValues> {
  return {
    customer_id: customerId,
    booking_date: booking.date ?? localDate(now.toISOString(), zone),
    booking_time: booking.time ?? DEFAULT_TIME,
    staff_id: booking.staff ?? '',
    duration: '1',
    hourly_rate: hourlyRate ?? '',
  };
}

/** What was typed as the server takes it. A booking that was not touched keeps its instant, also its seconds. */
export function toJobInput(
  { customer_id: _customer, categories, booking_date, booking_time, duration, duration_unit, ...job }: JobFormOutput,
  zone: string,
  before?: Job,
) {
  const shown = before?.booking_date ? bookingFields(before.booking_date, zone) : undefined;
  const isSameBooking = shown?.booking_date === booking_date && shown.booking_time === booking_time;
  return {
    ...job,
    category_ids: categories.map(({ id }) => id),
    booking_date: (isSameBooking && before?.booking_date) || zonedInstant(booking_date, booking_time, zone),
    duration: durationInHours({ value: duration, unit: duration_unit }),
  };
}

/** What saving has booked; nothing when the job takes nobody's time, or the same as before. */
export function bookedBy(saved: Job, before: Job | undefined, zone: string): TypedBooking | undefined {
  const { id, staff_id: staffId, booking_date: start, duration } = saved;
  if (!takesTime(saved.status) || staffId === null || start === null) return undefined;
  const isSame =
    before !== undefined &&
    takesTime(before.status) &&
    before.staff_id === staffId &&
    before.booking_date === start &&
    Number(before.duration) === Number(duration);
  return isSame ? undefined : { staffId, start, hours: duration ?? DEFAULT_EVENT_HOURS, zone, jobId: id };
}
