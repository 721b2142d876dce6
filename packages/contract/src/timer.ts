import { z } from 'zod';
import { call } from './call.ts';
import { errorStatus, idTaken, notFound, staleVersion } from './errors.ts';
import { Id, Instant, OutputId, Version } from './fields.ts';
import { Job, JobTimer, jobNotFound, lineLimit, WholeQuantity } from './jobs.ts';

/** The caller's timer: the job they work on now, or worked on last today. */
export const ActiveTimer = JobTimer.extend({
  job_id: OutputId,
  job_number: z.string(),
  title: z.string(),
  duration: z.string().nullable(),
  /** Of the caller alone; others may have timers on the same job. */
  timer_status: z.enum(['started', 'paused']),
  /** The caller's latest entry on this job. */
  entry: z.object({ id: OutputId, started_at: Instant, ended_at: Instant.nullable(), version: Version }),
});
export type ActiveTimer = z.infer<typeof ActiveTimer>;

/** A stretch of work. Names stay when the job or the person is deleted. */
export const TimeEntry = z.object({
  id: OutputId,
  job_id: OutputId.nullable(),
  job_number: z.string(),
  job_title: z.string(),
  staff_id: OutputId.nullable(),
  staff_name: z.string(),
  started_at: Instant,
  ended_at: Instant.nullable(),
  /** The end before it was corrected, when and by whom. */
  original_ended_at: Instant.nullable(),
  corrected_at: Instant.nullable(),
  corrected_by: z.string().nullable(),
  version: Version,
});
export type TimeEntry = z.infer<typeof TimeEntry>;

/** An entry on a time sheet. */
export const SheetEntry = TimeEntry.extend({
  /** Whether a line of the job bills this time. */
  is_allocated: z.boolean(),
  /** What an hour is billed at; null when the time is not billed by the hour: the job has a fixed price or was deleted. */
  hourly_rate: z.string().nullable(),
});
export type SheetEntry = z.infer<typeof SheetEntry>;

export const timerRunning = {
  TIMER_RUNNING: {
    status: errorStatus.TIMER_RUNNING,
    message: 'Another timer is already running. Please pause it before starting a new one.',
    data: z.object({ job_id: OutputId, job_number: z.string(), title: z.string() }),
  },
} as const;
export const jobFinished = {
  JOB_FINISHED: { status: errorStatus.JOB_FINISHED, message: 'This job is finished. Change its status to work on it again.' },
} as const;
export const nothingToAllocate = {
  NOTHING_TO_ALLOCATE: { status: errorStatus.NOTHING_TO_ALLOCATE, message: 'All time on this job has been allocated already.' },
} as const;
export const entryNotFound = notFound('Time entry not found');

const NO_WEEK = 'Please choose a week';
/** Years that calendars of four digits can step out of are refused. */
const WeekDate = z.iso.date(NO_WEEK).refine((date) => date >= '2000-01-01' && date < '2200-01-01', NO_WEEK);

export const timer = {
  active: call('jobs.work')
    .route({ method: 'GET', path: '/timer', summary: "The caller's timer", tags: ['timer'] })
    /** The time comes also without a timer: a page shows the timers of others by it. */
    .output(z.object({ timer: ActiveTimer.nullable(), server_time: Instant })),

  start: call('jobs.work')
    .route({ method: 'POST', path: '/time-entries', summary: "Start the caller's timer on a job", tags: ['timer'] })
    .input(
      z.object({
        /** Of the new time entry, so that a repeated request starts one timer. */
        id: Id,
        job_id: Id,
        /** Whether a timer on another job is paused for this one; otherwise it is refused. */
        pause_others: z.boolean().default(true),
      }),
    )
    .output(Job)
    .errors({ ...jobNotFound, ...timerRunning, ...jobFinished, ...idTaken }),

  pause: call('jobs.work')
    .route({ method: 'POST', path: '/timer/pause', summary: "Pause the caller's timer on a job", tags: ['timer'] })
    .input(
      z.object({
        job_id: Id,
        /** Only this entry is ended, so that a pause which arrives late or twice ends no later one. */
        entry_id: Id.optional(),
        /** When it was pressed, if it could not be sent then. Stored in whole seconds. */
        at: z.iso.datetime({ offset: true, error: 'Please enter a time' }).optional(),
      }),
    )
    .output(Job)
    .errors(jobNotFound),

  correct: call('jobs.work')
    .route({ method: 'PUT', path: '/time-entries/{id}/end', summary: "Correct when the caller's own work ended", tags: ['timer'] })
    .input(z.object({ id: Id, version: Version, ended_at: z.iso.datetime({ offset: true, error: 'Please enter a time' }) }))
    .output(TimeEntry)
    .errors({ ...entryNotFound, ...staleVersion(TimeEntry) }),

  allocate: call('jobs.work')
    .route({
      method: 'POST',
      path: '/time-allocations',
      summary: 'Bill the time that has not been billed yet, as one line',
      tags: ['timer'],
      successStatus: 201,
    })
    .input(z.object({ id: Id, job_id: Id, supplier_item_id: z.uuid('Please select an item').toLowerCase(), quantity: WholeQuantity }))
    .output(Job)
    .errors({ ...jobNotFound, ...nothingToAllocate, ...idTaken, ...lineLimit }),

  sheet: call('jobs.work')
    .route({ method: 'GET', path: '/time-sheet', summary: 'The time entries of one person or everybody in a week', tags: ['timer'] })
    .input(z.object({ /** Any day of it. */ week: WeekDate, staff_id: Id.optional() }))
    .output(
      z.object({
        /** Its Monday. */
        week: z.string(),
        from: Instant,
        to: Instant,
        timezone: z.string(),
        entries: z.array(SheetEntry),
        server_time: Instant,
      }),
    ),
};
