import { CALENDAR_STATUSES } from '@callout/domain/calendar/calendar-event';
import { isValidDurationHours } from '@callout/domain/durations/duration';
import { BOOKABLE_STATUSES } from '@callout/domain/jobs/job';
import { DAY_MS } from '@callout/domain/time/time-units';
import { z } from 'zod';
import { defineCall } from './call.ts';
import { clashFields } from './clash.ts';
import { staleVersionError } from './errors.ts';
import { Cursor, Id, Instant, inputInstant } from './fields.ts';
import { Job, JobCustomer, JobTimer, jobNotFoundError } from './jobs.ts';
import { CappedCount, idInput, pageSchema } from './lists.ts';
import { staffMemberNotFoundError } from './staff.ts';
import { INVALID_DURATION_MESSAGE, Task, TaskStaffMember, taskNotFoundError } from './tasks.ts';

export type { Clash } from './clash.ts';

/** A scheduled job. A job without a duration takes up one hour. */
export const CalendarJob = Job.pick({ id: true, job_number: true, title: true, status: true, duration: true }).extend({
  booking_date: Instant,
  /** The job's alternate address or, if it has none, the customer's address. */
  address: z.string().nullable(),
  customer: JobCustomer.pick({ id: true, name: true, company_name: true, phone: true }).nullable(),
  staff: TaskStaffMember.nullable(),
  timer_status: JobTimer.shape.timer_status,
});
export type CalendarJob = z.infer<typeof CalendarJob>;

export const CalendarTask = Task.pick({ id: true, title: true, color: true, status: true, calendar_duration: true, staff: true }).extend({
  calendar_date: Instant,
});
export type CalendarTask = z.infer<typeof CalendarTask>;

export const UnscheduledJob = CalendarJob.omit({ booking_date: true, timer_status: true }).extend({ created_at: Instant });
export type UnscheduledJob = z.infer<typeof UnscheduledJob>;

/** Longest range, in days, that a request can ask for. The month view needs 42 days. */
export const MAX_CALENDAR_DAYS = 45;
/** Maximum number of events in a response; `is_cut` is true if there are more. */
export const MAX_CALENDAR_EVENTS = 2000;

export const CalendarRange = z
  .object({
    from: inputInstant('From'),
    to: inputInstant('To'),
    status: z.enum(CALENDAR_STATUSES).optional(),
    staff_id: Id.optional(),
  })
  .refine(({ from, to }) => from < to, { error: 'The end must be after the start', path: ['to'] })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= MAX_CALENDAR_DAYS * DAY_MS, {
    error: `Choose at most ${MAX_CALENDAR_DAYS} days`,
    path: ['to'],
  });

const DurationHours = z.string().trim().max(10).refine(isValidDurationHours, INVALID_DURATION_MESSAGE);

/** The booking as shown when dragging began. The call fails if the booking has changed since, unless it already matches the request. */
const SeenBooking = z.object({ starts_at: inputInstant('Start').nullable(), duration: DurationHours.nullable(), staff_id: Id.nullable() });

/** Omitted fields stay unchanged. Null clears a field, so that an undo can restore a booking without a person or duration. */
const ScheduleInput = z.object({
  id: Id,
  starts_at: inputInstant('Start'),
  duration: DurationHours.nullable().optional(),
  staff_id: Id.nullable().optional(),
  seen: SeenBooking,
});
export type ScheduleInput = z.infer<typeof ScheduleInput>;

/**
 * A null `starts_at` unschedules the job. An undo sends `status` to restore the status from before the booking. The server ignores it
 * unless the job is still booked, so that a status chosen since then isn't overwritten.
 */
const JobScheduleInput = ScheduleInput.extend({
  starts_at: ScheduleInput.shape.starts_at.nullable(),
  status: z.enum(BOOKABLE_STATUSES).optional(),
});
export type JobScheduleInput = z.infer<typeof JobScheduleInput>;

const ScheduledJob = CalendarJob.extend({ booking_date: Instant.nullable() });
export type ScheduledJob = z.infer<typeof ScheduledJob>;

/** A person's private calendar feed. Other calendar apps subscribe to its `url`. */
export const CalendarFeed = z.object({ url: z.string().nullable(), last_opened_at: Instant.nullable() });
export type CalendarFeed = z.infer<typeof CalendarFeed>;

/** A staff member's calendar feed as company admins see it, without the private URL. */
export const StaffFeed = CalendarFeed.pick({ last_opened_at: true }).extend({ is_on: z.boolean() });
export type StaffFeed = z.infer<typeof StaffFeed>;

const calendarTags = { tags: ['calendar'] };

export const calendar = {
  /** The status filter applies to jobs only; tasks of every status are included. */
  events: defineCall('work.view')
    .route({ method: 'GET', path: '/calendar', summary: 'List the jobs and tasks scheduled between two times', ...calendarTags })
    .input(CalendarRange)
    .output(z.object({ jobs: z.array(CalendarJob), tasks: z.array(CalendarTask), is_cut: z.boolean() })),

  unscheduled: defineCall('work.view')
    .route({ method: 'GET', path: '/calendar/unscheduled', summary: 'List the unscheduled jobs, newest first', ...calendarTags })
    .input(z.object({ cursor: Cursor.optional() }))
    .output(pageSchema(UnscheduledJob).extend({ total: CappedCount })),

  /** Lets a form warn about clashes before the booking is saved. */
  clashes: defineCall('work.view')
    .route({ method: 'GET', path: '/calendar/clashes', summary: "List a person's bookings that overlap a given time", ...calendarTags })
    .input(z.object({ staff_id: Id, starts_at: inputInstant('Start'), duration: DurationHours.optional(), except_id: Id.optional() }))
    .output(z.object(clashFields)),

  /** Setting or changing the date marks a pending or contacted job as booked, like saving the job form, unless `status` is sent. */
  scheduleJob: defineCall('jobs.work')
    .route({
      method: 'PUT',
      path: '/calendar/jobs/{id}',
      summary: 'Move a job to another time or person, change its duration, or unschedule it',
      ...calendarTags,
    })
    .input(JobScheduleInput)
    .output(z.object({ job: ScheduledJob, ...clashFields }))
    .errors({ ...jobNotFoundError, ...staleVersionError(ScheduledJob) }),

  scheduleTask: defineCall('jobs.work')
    .route({
      method: 'PUT',
      path: '/calendar/tasks/{id}',
      summary: 'Move a task to another time or person, or change its duration',
      ...calendarTags,
    })
    .input(ScheduleInput)
    .output(z.object({ task: CalendarTask, ...clashFields }))
    .errors({ ...taskNotFoundError, ...staleVersionError(CalendarTask.extend({ calendar_date: Instant.nullable() })) }),

  feed: defineCall('work.view')
    .route({ method: 'GET', path: '/calendar/feed', summary: 'Get the URL of my calendar feed, if it is on', ...calendarTags })
    .output(CalendarFeed),

  /** Idempotent: a retry returns the existing URL. */
  openFeed: defineCall('work.view')
    .route({ method: 'POST', path: '/calendar/feed', summary: 'Turn my calendar feed on', ...calendarTags })
    .output(CalendarFeed),

  closeFeed: defineCall('work.view')
    .route({ method: 'DELETE', path: '/calendar/feed', summary: 'Turn my calendar feed off; its URL stops working', ...calendarTags })
    .output(CalendarFeed),

  staffFeed: defineCall('staff.manage')
    .route({
      method: 'GET',
      path: '/staff/{id}/calendar-feed',
      summary: "Check whether a staff member's calendar feed is on",
      ...calendarTags,
    })
    .input(idInput)
    .output(StaffFeed)
    .errors(staffMemberNotFoundError),

  closeStaffFeed: defineCall('staff.manage')
    .route({
      method: 'DELETE',
      path: '/staff/{id}/calendar-feed',
      summary: "Turn a staff member's calendar feed off; its URL stops working",
      ...calendarTags,
    })
    .input(idInput)
    .output(StaffFeed)
    .errors(staffMemberNotFoundError),
};
