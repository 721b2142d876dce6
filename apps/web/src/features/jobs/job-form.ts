import { Id, requiredText } from '@callout/contract/fields';
import { type Job, NewJob } from '@callout/contract/jobs';
import { DEFAULT_EVENT_HOURS, isBusyStatus } from '@callout/domain/calendar/calendar-event';
import { DURATION_STEP_HOURS, DURATION_UNITS, MIN_DURATION_HOURS, toDisplayDuration, toHours } from '@callout/domain/durations/duration';
import { formatCount } from '@callout/domain/text/count-format';
import { toTimeInputValue, toWallTime } from '@callout/domain/time/wall-time';
import { toInstant, toLocalDate } from '@callout/domain/time/zoned-time';
import { z } from 'zod';
import { defineForm } from '../../lib/form-definition.ts';
import type { StaffBooking } from './job-fields.tsx';
import { JOB_STATUS_CHOICES } from './job-list-filter.ts';

const { title, description, staff_id, status, use_alternate_address, address, job_type, fixed_amount, hourly_rate, hourly_rate_confirmed } =
  NewJob.shape;

/** Values of the job form. The date and time are in the time zone that was displayed when the form opened. */
const JobFormSchema = z.object({
  /** Sent only if the job has no customer yet, and validated by the server. */
  customer_id: z.string(),
  title,
  description,
  /** The main category comes first. */
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
  hourly_rate_confirmed,
  use_alternate_address,
  address,
});

/** Duration step, in hours, for jobs that were resized in the calendar, which allows quarter hours. */
const QUARTER_HOUR_STEP = '0.25';

const createJobSchema = (hourStep: string) =>
  JobFormSchema.refine((job) => findDurationError(job, hourStep) === undefined, {
    error: ({ input }) => findDurationError(input as DurationInput, hourStep),
    path: ['duration'],
    when: () => true,
  }).refine((job) => !job.use_alternate_address || job.address, {
    error: 'Alternate address is required',
    path: ['address'],
    when: () => true,
  });

type DurationInput = Pick<z.output<typeof JobFormSchema>, 'duration' | 'duration_unit'>;

const MAX_DURATIONS: Record<DurationInput['duration_unit'], number> = { hours: 9_999, days: 416 };

function findDurationError({ duration: value, duration_unit: unit }: DurationInput, hourStep: string): string | undefined {
  if (!value) return undefined;
  if (!/^-?\d+(\.\d+)?$/.test(value.trim())) return 'Duration must be a number';
  const amount = Number(value);
  if (amount > MAX_DURATIONS[unit]) return `Duration must be at most ${formatCount(MAX_DURATIONS[unit])} ${unit}`;
  const step = unit === 'hours' ? hourStep : DURATION_STEP_HOURS;
  const isValidStep = amount >= Number(MIN_DURATION_HOURS) && amount % Number(step) === 0;
  return isValidStep ? undefined : `Duration must be at least ${MIN_DURATION_HOURS} ${unit}, in steps of ${step}`;
}

const isHourly = ({ job_type: type }: { job_type: string }) => type === 'hourly';

const defineJobForm = (hourStep: string, zone: string) =>
  defineForm({
    schema: createJobSchema(hourStep),
    fromRecord: (job: Job) => {
      const { value, unit } = toDisplayDuration(job.duration ?? '1');
      return {
        customer_id: job.customer_id,
        title: job.title,
        description: job.description,
        categories: job.categories,
        staff_id: job.staff_id,
        ...(job.booking_date ? toBookingFields(job.booking_date, zone) : { booking_date: '', booking_time: DEFAULT_BOOKING_TIME }),
        duration: value,
        duration_unit: unit,
        status: job.status,
        job_type: job.job_type,
        fixed_amount: job.fixed_amount,
        hourly_rate: job.hourly_rate,
        hourly_rate_confirmed: job.hourly_rate_confirmed,
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
      status: { label: 'Status', input: 'radio', width: 'full', choices: JOB_STATUS_CHOICES, initial: 'pending' },
      job_type: {
        label: 'Job type',
        input: 'radio',
        choices: [
          { value: 'fixed', label: 'Fixed' },
          { value: 'hourly', label: 'Hourly' },
        ],
        initial: 'fixed',
      },
      fixed_amount: { label: 'Fixed amount', input: 'decimal', hiddenWhen: isHourly, submitWhenHidden: true },
      hourly_rate: { label: 'Hourly rate', input: 'decimal', hiddenWhen: (job) => !isHourly(job), submitWhenHidden: true },
      hourly_rate_confirmed: {
        label: "Use this job's rate",
        hiddenWhen: (job) => !isHourly(job),
        submitWhenHidden: true,
      },
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

export type JobForm = ReturnType<typeof defineJobForm>;

/** Creates the form definition. Pass the stored job when editing, so that its quarter hours stay valid. */
export const createJobForm = (zone: string, { duration }: Pick<Job, 'duration'> = { duration: null }): JobForm =>
  defineJobForm(Number(duration) % Number(DURATION_STEP_HOURS) === 0 ? DURATION_STEP_HOURS : QUARTER_HOUR_STEP, zone);

export type JobFormValues = JobForm['initial'];
export type JobFormOutput = z.output<typeof JobFormSchema>;

const DEFAULT_BOOKING_TIME = '08:00';

/** Returns true if the job's address differs from the customer's. The choice itself isn't stored. */
function hasAlternateAddress({ address: jobAddress, customer }: Job): boolean {
  return jobAddress !== null && jobAddress !== customer?.address;
}

function toBookingFields(instant: string, zone: string) {
  return { booking_date: toLocalDate(instant, zone), booking_time: toTimeInputValue(toWallTime(instant, zone)) };
}

/** Values prefilled in a new job after a click on a free calendar slot. */
export interface BookingPrefill {
  /** `date` is 'yyyy-MM-dd' and `time` is 'HH:mm', both in the displayed time zone. */
  readonly date?: string | undefined;
  readonly time?: string | undefined;
  readonly staff?: string | undefined;
}

export function getNewJobDefaults(
  now: Date,
  zone: string,
  { customerId, hourlyRate, booking }: { customerId: string; hourlyRate: string | null; booking: BookingPrefill },
): Partial<JobFormValues> {
  return {
    customer_id: customerId,
    booking_date: booking.date ?? toLocalDate(now.toISOString(), zone),
    booking_time: booking.time ?? DEFAULT_BOOKING_TIME,
    staff_id: booking.staff ?? '',
    // Someone chose this time in the calendar, which books the job like changing the time in the form.
    ...(booking.date && booking.time && { status: 'booked' as const }),
    duration: '1',
    hourly_rate: hourlyRate ?? '',
  };
}

/** Converts form values to the server's input. An unchanged booking keeps its exact instant, including seconds. */
export function toJobInput(
  { customer_id: customerId, categories, booking_date, booking_time, duration, duration_unit, ...job }: JobFormOutput,
  zone: string,
  before?: Job,
) {
  const displayed = before?.booking_date ? toBookingFields(before.booking_date, zone) : undefined;
  const isSameBooking = displayed?.booking_date === booking_date && displayed.booking_time === booking_time;
  return {
    ...job,
    ...(before?.customer_id === null && customerId !== '' && { customer_id: customerId }),
    category_ids: categories.map(({ id }) => id),
    booking_date: (isSameBooking && before?.booking_date) || toInstant(booking_date, booking_time, zone),
    duration: toHours({ value: duration, unit: duration_unit }),
  };
}

/** Returns the booking that a save added or moved. Undefined if the booking is unchanged or doesn't occupy a staff member. */
export function findNewBooking(saved: Job, before: Job | undefined, zone: string): StaffBooking | undefined {
  const { id, staff_id: staffId, booking_date: start, duration } = saved;
  if (!isBusyStatus(saved.status) || staffId === null || start === null) return undefined;
  const isUnchanged =
    before !== undefined &&
    isBusyStatus(before.status) &&
    before.staff_id === staffId &&
    before.booking_date === start &&
    Number(before.duration) === Number(duration);
  return isUnchanged ? undefined : { staffId, start, hours: duration ?? DEFAULT_EVENT_HOURS, zone, jobId: id };
}
