export const JOB_STATUSES = ['pending', 'contacted', 'booked', 'complete', 'invoiced', 'paid', 'canceled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const JOB_TYPES = ['fixed', 'hourly'] as const;
export type JobType = (typeof JOB_TYPES)[number];

/** Statuses of jobs with no work left on site. These jobs have no timer or 'Complete Job' button and don't count as active. */
const FINISHED_STATUSES: ReadonlySet<JobStatus> = new Set(['complete', 'invoiced', 'paid', 'canceled']);

/** Board columns in display order. Paid jobs are done, so they have no column. */
export const BOARD_STATUSES = JOB_STATUSES.filter((status) => status !== 'paid');

export const ACTIVE_JOB_STATUSES = JOB_STATUSES.filter((status) => !FINISHED_STATUSES.has(status));

export function isActiveStatus(status: JobStatus): boolean {
  return !FINISHED_STATUSES.has(status);
}

/** Returns true for unfinished hourly jobs. Their timer panel has 'Allocate' and 'Complete Job'; on phones, it is a docked bar. */
export function hasBillingTimer({ job_type, status }: { job_type: JobType; status: JobStatus }): boolean {
  return job_type === 'hourly' && isActiveStatus(status);
}

/** Returns true if time can be added by hand. Once a job is billed or canceled, its status must be changed first. */
export function canAddTime(status: JobStatus): boolean {
  return isActiveStatus(status) || status === 'complete';
}

/** Statuses that become 'booked' when the job gets a date. */
export const BOOKABLE_STATUSES = ['pending', 'contacted'] as const satisfies readonly JobStatus[];
export type BookableStatus = (typeof BOOKABLE_STATUSES)[number];

/** Returns the status after a job gets a date: 'booked' if it was 'pending' or 'contacted', otherwise unchanged. */
export function getStatusAfterBooking(status: JobStatus): JobStatus {
  return BOOKABLE_STATUSES.some((bookable) => bookable === status) ? 'booked' : status;
}

/** Returns the status after a booking is undone: the status `before` it, unless the status has changed since. */
export function getStatusAfterUnbooking(status: JobStatus, before: BookableStatus): JobStatus {
  return status === 'booked' ? before : status;
}

/** Job numbers available to each company per month. */
export const JOB_NUMBERS_PER_MONTH = 10_000;

/** Formats number 42 of January 2025 as 'J25010042'. `date` is 'yyyy-MM-dd' in the company's time zone. */
export function formatJobNumber(date: string, number: number): string {
  const [, year = '', month = ''] = /^\d\d(\d\d)-(\d\d)-\d\d$/.exec(date) ?? [];
  if (!month || !Number.isInteger(number) || number < 0 || number >= JOB_NUMBERS_PER_MONTH) throw new RangeError('Invalid job number');
  return `J${year}${month}${String(number).padStart(4, '0')}`;
}
