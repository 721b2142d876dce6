import { z } from 'zod';
import { defineCall } from './call.ts';
import { ERROR_STATUS, idTakenError, notFoundError, staleVersionError } from './errors.ts';
import { Id, Instant, inputInstant, OutputId, RecordVersion, requiredAmount, requiredText } from './fields.ts';
import { paidJobLinesError } from './job-lines.ts';
import { Job, JobTimer, JobType, jobLineLimitError, jobNotFoundError, WholeQuantity } from './jobs.ts';
import { idInput } from './lists.ts';

/** The caller's timer on their current job or, if none is running, on the job they last worked on in the past 24 hours. */
export const ActiveTimer = JobTimer.extend({
  job_id: OutputId,
  job_number: z.string(),
  title: z.string(),
  job_type: JobType,
  currency: z.string().nullable(),
  duration: z.string().nullable(),
  /** Status of the caller's timer; other people may have timers on the same job. */
  timer_status: z.enum(['started', 'paused']),
  /** The caller's latest entry on this job. */
  entry: z.object({ id: OutputId, started_at: Instant, ended_at: Instant.nullable(), version: RecordVersion }),
});
export type ActiveTimer = z.infer<typeof ActiveTimer>;

/** A period of work on a job. The job's and person's names remain if either is deleted. */
export const TimeEntry = z.object({
  id: OutputId,
  job_id: OutputId.nullable(),
  job_number: z.string(),
  job_title: z.string(),
  staff_id: OutputId.nullable(),
  staff_name: z.string(),
  started_at: Instant,
  ended_at: Instant.nullable(),
  /** These three fields are null unless someone corrected the end of the entry. */
  original_ended_at: Instant.nullable(),
  corrected_at: Instant.nullable(),
  corrected_by: z.string().nullable(),
  /** Name of the person who added the entry by hand; null if a timer recorded it. */
  added_by: z.string().nullable(),
  /** When the start or the pause arrived, if it was pressed more than a minute earlier, without a connection; otherwise null. */
  arrived_at: Instant.nullable(),
  version: RecordVersion,
});
export type TimeEntry = z.infer<typeof TimeEntry>;

export const SheetEntry = TimeEntry.extend({
  /** Whether a line item bills this time. */
  is_allocated: z.boolean(),
  /** The rate the time is billed at; null if the job has a fixed price or was deleted. */
  hourly_rate: z.string().nullable(),
});
export type SheetEntry = z.infer<typeof SheetEntry>;

export const timerRunningError = {
  TIMER_RUNNING: {
    status: ERROR_STATUS.TIMER_RUNNING,
    message: 'Another timer is already running. Please pause it before starting a new one.',
    data: z.object({ job_id: OutputId, job_number: z.string(), title: z.string() }),
  },
} as const;
export const timeTakenError = {
  TIME_TAKEN: {
    status: ERROR_STATUS.TIME_TAKEN,
    message: 'You already have time on another job at this moment.',
    data: TimeEntry.pick({ job_id: true, job_number: true, job_title: true, started_at: true, ended_at: true }),
  },
} as const;
export const jobFinishedError = {
  JOB_FINISHED: { status: ERROR_STATUS.JOB_FINISHED, message: 'This job is finished. Change its status to work on it again.' },
} as const;
export const nothingToAllocateError = {
  NOTHING_TO_ALLOCATE: { status: ERROR_STATUS.NOTHING_TO_ALLOCATE, message: 'All time on this job has already been allocated.' },
} as const;
export const timeEntryNotFoundError = notFoundError('Time entry not found');

const InputTime = inputInstant('Time', 'Please enter a time');

const INVALID_WEEK_MESSAGE = 'Please choose a week';
/** Restricted to 2000–2199, so that every day of the week has a four-digit year. */
const WeekDate = z.iso.date(INVALID_WEEK_MESSAGE).refine((date) => date >= '2000-01-01' && date < '2200-01-01', INVALID_WEEK_MESSAGE);

export const timer = {
  active: defineCall('jobs.work')
    .route({ method: 'GET', path: '/timer', summary: "Get the caller's timer", tags: ['timer'] })
    /** `server_time` is sent even without a timer, because the page uses it to measure other people's timers. */
    .output(z.object({ timer: ActiveTimer.nullable(), server_time: Instant })),

  start: defineCall('jobs.work')
    .route({ method: 'POST', path: '/time-entries', summary: "Start the caller's timer on a job", tags: ['timer'] })
    .input(
      z.object({
        /** Client-generated id of the new time entry, so that a retried request starts only one timer. */
        id: Id,
        job_id: Id,
        /** Whether to pause a timer that is running on another job; if false, the call fails instead. */
        pause_others: z.boolean().default(true),
      }),
    )
    .output(Job)
    .errors({ ...jobNotFoundError, ...timerRunningError, ...timeTakenError, ...jobFinishedError, ...idTakenError }),

  pause: defineCall('jobs.work')
    .route({ method: 'POST', path: '/timer/pause', summary: "Pause the caller's timer on a job", tags: ['timer'] })
    .input(
      z.object({
        job_id: Id,
        /** Limits the pause to one entry, so that a late or repeated request can't end a newer entry. */
        entry_id: Id.optional(),
        /** When the person pressed Pause. Instead, send how long ago that was (`X-Callout-Made-Ago`), which needs no right clock. */
        at: InputTime.optional(),
      }),
    )
    .output(Job)
    .errors(jobNotFoundError),

  correct: defineCall('jobs.work')
    .route({ method: 'PUT', path: '/time-entries/{id}/end', summary: "Correct when the caller's work ended", tags: ['timer'] })
    .input(z.object({ id: Id, version: RecordVersion, ended_at: InputTime }))
    .output(TimeEntry)
    .errors({ ...timeEntryNotFoundError, ...staleVersionError(TimeEntry) }),

  add: defineCall('jobs.work')
    .route({ method: 'POST', path: '/worked-time', summary: 'Add worked time by hand', tags: ['timer'], successStatus: 201 })
    .input(
      z.object({
        /** Client-generated id of the new time entry, so that a retried request adds the time once. */
        id: Id,
        job_id: Id,
        /** The person who worked; the caller by default. Anyone else requires 'time.editAll'. */
        staff_id: Id.optional(),
        started_at: InputTime,
        ended_at: InputTime,
      }),
    )
    .output(Job)
    .errors({ ...jobNotFoundError, ...jobFinishedError, ...idTakenError }),

  change: defineCall('jobs.work')
    .route({
      method: 'PUT',
      path: '/worked-time/{id}',
      summary: "Change unbilled time that was added by hand: your own, or anyone's if you may edit other people's time",
      tags: ['timer'],
    })
    .input(z.object({ id: Id, version: RecordVersion, started_at: InputTime, ended_at: InputTime }))
    .output(TimeEntry)
    .errors({ ...timeEntryNotFoundError, ...staleVersionError(TimeEntry) }),

  remove: defineCall('jobs.work')
    .route({
      method: 'DELETE',
      path: '/worked-time/{id}',
      summary: "Delete unbilled time that was added by hand: your own, or anyone's if you may edit other people's time",
      tags: ['timer'],
    })
    .input(idInput)
    .output(z.object({}))
    .errors(timeEntryNotFoundError),

  allocate: defineCall('jobs.work')
    .route({
      method: 'POST',
      path: '/time-allocations',
      summary: 'Bill all unbilled time on a job as one line',
      tags: ['timer'],
      successStatus: 201,
    })
    .input(
      z
        .object({
          id: Id,
          job_id: Id,
          /** The price list item to bill the time as; null for a line typed by hand, which needs `name` and `hourly_rate`. */
          supplier_item_id: z.uuid('Please select an item').toLowerCase().nullable(),
          name: requiredText('Name', 200).optional(),
          hourly_rate: requiredAmount('Hourly rate').optional(),
          tax_inclusive: z.boolean().default(true),
          quantity: WholeQuantity,
        })
        .refine(
          ({ supplier_item_id, ...typed }) =>
            [typed.name, typed.hourly_rate].every((text) => (text === undefined) === (supplier_item_id !== null)),
          {
            error: 'Please select an item',
            path: ['supplier_item_id'],
          },
        ),
    )
    .output(Job)
    .errors({ ...jobNotFoundError, ...nothingToAllocateError, ...idTakenError, ...jobLineLimitError, ...paidJobLinesError }),

  sheet: defineCall('jobs.work')
    .route({ method: 'GET', path: '/time-sheet', summary: "List one week's time entries, for one person or everyone", tags: ['timer'] })
    .input(z.object({ /** Any date in the week. */ week: WeekDate, staff_id: Id.optional() }))
    .output(
      z.object({
        /** The Monday of the week. */
        week: z.string(),
        from: Instant,
        to: Instant,
        timezone: z.string(),
        entries: z.array(SheetEntry),
        server_time: Instant,
      }),
    ),
};
