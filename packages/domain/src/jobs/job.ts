export const JOB_STATUSES = ['pending', 'contacted', 'booked', 'complete', 'invoiced', 'paid', 'canceled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const JOB_TYPES = ['fixed', 'hourly'] as const;
export type JobType = (typeof JOB_TYPES)[number];

/** Nothing is left to do on site: no timer, no 'Complete Job', not counted as active. */
const FINISHED: ReadonlySet<JobStatus> = new Set(['complete', 'invoiced', 'paid', 'canceled']);

/** The columns of the board, in their order: what is paid is done with. */
export const BOARD_STATUSES = JOB_STATUSES.filter((status) => status !== 'paid');

export const ACTIVE_STATUSES = JOB_STATUSES.filter((status) => !FINISHED.has(status));

export function isActive(status: JobStatus): boolean {
  return !FINISHED.has(status);
}

/** Worked on by the hour and not finished: its page has the timer, with Start, Pause and 'Complete Job'. */
export function isTimed({ job_type, status }: { job_type: JobType; status: JobStatus }): boolean {
  return job_type === 'hourly' && isActive(status);
}

/** What a date turns into 'booked'. */
export const BOOKABLE_STATUSES = ['pending', 'contacted'] as const satisfies readonly JobStatus[];
export type BookableStatus = (typeof BOOKABLE_STATUSES)[number];

/** A job that gets a date is booked; a status beyond that was chosen on purpose and stays. */
export function statusOnceBooked(status: JobStatus): JobStatus {
  return BOOKABLE_STATUSES.some((bookable) => bookable === status) ? 'booked' : status;
}

/** Once the date is taken back: also what somebody chose meanwhile stays. */
export function statusOnceUnbooked(status: JobStatus, before: BookableStatus): JobStatus {
  return status === 'booked' ? before : status;
}

/** Numbers per company and month. */
export const JOB_NUMBERS_PER_MONTH = 10_000;

/** 'J25010042' for number 42 of January 2025; `date` is the day ('yyyy-MM-dd') in the company's time zone. */
export function jobNumber(date: string, number: number): string {
  const [, year = '', month = ''] = /^\d\d(\d\d)-(\d\d)-\d\d$/.exec(date) ?? [];
  if (!month || !Number.isInteger(number) || number < 0 || number >= JOB_NUMBERS_PER_MONTH) throw new RangeError('No such job number');
  return `J${year}${month}${String(number).padStart(4, '0')}`;
}
