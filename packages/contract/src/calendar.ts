import { CALENDAR_STATUSES } from '@callout/domain/calendar/calendar-event';
import { isDurationHours } from '@callout/domain/durations/duration';
import { BOOKABLE_STATUSES } from '@callout/domain/jobs/job';
import { DAY_MS } from '@callout/domain/time/time-units';
import { z } from 'zod';
import { call } from './call.ts';
import { withClashes } from './clash.ts';
import { staleVersion } from './errors.ts';
import { Cursor, Id, Instant, inputInstant } from './fields.ts';
import { CustomerOfJob, Job, JobTimer, jobNotFound } from './jobs.ts';
import { byId, pageOf } from './lists.ts';
import { staffNotFound } from './staff.ts';
import { DURATION_STEPS, StaffOfTask, Task, taskNotFound } from './tasks.ts';

export type { Clash } from './clash.ts';

/** A job with a date. Without a duration it takes an hour. */
export const CalendarJob = Job.pick({ id: true, job_number: true, title: true, status: true, duration: true }).extend({
  booking_date: Instant,
  /** Its own, else the customer's. */
  address: z.string().nullable(),
  customer: CustomerOfJob.pick({ id: true, name: true, company_name: true, phone: true }).nullable(),
  staff: StaffOfTask.nullable(),
  timer_status: JobTimer.shape.timer_status,
});
export type CalendarJob = z.infer<typeof CalendarJob>;

export const CalendarTask = Task.pick({ id: true, title: true, color: true, status: true, calendar_duration: true, staff: true }).extend({
  calendar_date: Instant,
});
export type CalendarTask = z.infer<typeof CalendarTask>;

export const UnscheduledJob = CalendarJob.omit({ booking_date: true, timer_status: true }).extend({ created_at: Instant });
export type UnscheduledJob = z.infer<typeof UnscheduledJob>;

/** A month on screen shows six weeks. */
export const MAX_CALENDAR_DAYS = 45;
/** More than one answer holds: `is_cut` says so. */
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
    error: `At most ${MAX_CALENDAR_DAYS} days at once`,
    path: ['to'],
  });

const Hours = z.string().trim().max(10).refine(isDurationHours, DURATION_STEPS);

/**
 * Where something was when a person picked it up. When it is somewhere else by now, nothing changes, unless it is already where they
 * want it.
 */
const Seen = z.object({ starts_at: inputInstant('Start').nullable(), duration: Hours.nullable(), staff_id: Id.nullable() });

/** What is not sent stays as it is; null is for an Undo: nobody's, or without a duration, as it was before. */
const ScheduleInput = z.object({
  id: Id,
  starts_at: inputInstant('Start'),
  duration: Hours.nullable().optional(),
  staff_id: Id.nullable().optional(),
  seen: Seen,
});
export type ScheduleInput = z.infer<typeof ScheduleInput>;

/**
 * Without a start (null) it is among the jobs that have no date. `status` is for an Undo, of what booking it had changed: a booked job gets
 * it back with its time, and any other status, which somebody chose since, stays.
 */
const JobScheduleInput = ScheduleInput.extend({
  starts_at: ScheduleInput.shape.starts_at.nullable(),
  status: z.enum(BOOKABLE_STATUSES).optional(),
});
export type JobScheduleInput = z.infer<typeof JobScheduleInput>;

const ScheduledJob = CalendarJob.extend({ booking_date: Instant.nullable() });
export type ScheduledJob = z.infer<typeof ScheduledJob>;

/** The private address of a person's calendar, which other calendars subscribe to. */
export const CalendarFeed = z.object({ url: z.string().nullable(), last_opened_at: Instant.nullable() });
export type CalendarFeed = z.infer<typeof CalendarFeed>;

/** What an admin sees of somebody's feed; its address is theirs alone. */
export const StaffFeed = CalendarFeed.pick({ last_opened_at: true }).extend({ is_on: z.boolean() });
export type StaffFeed = z.infer<typeof StaffFeed>;

const calendarTags = { tags: ['calendar'] };

export const calendar = {
  /** The status limits jobs only: tasks of every status are there. */
  events: call('work.view')
    .route({ method: 'GET', path: '/calendar', summary: 'The jobs and tasks that take place between two instants', ...calendarTags })
    .input(CalendarRange)
    .output(z.object({ jobs: z.array(CalendarJob), tasks: z.array(CalendarTask), is_cut: z.boolean() })),

  unscheduled: call('work.view')
    .route({ method: 'GET', path: '/calendar/unscheduled', summary: 'Jobs to do that have no date yet, the newest first', ...calendarTags })
    .input(z.object({ cursor: Cursor.optional() }))
    .output(pageOf(UnscheduledJob).extend({ total: z.int() })),

  /** What a person is busy with at a time, to be told before something is booked. */
  clashes: call('work.view')
    .route({ method: 'GET', path: '/calendar/clashes', summary: 'What else takes the time of a person', ...calendarTags })
    .input(z.object({ staff_id: Id, starts_at: inputInstant('Start'), duration: Hours.optional(), except_id: Id.optional() }))
    .output(z.object(withClashes)),

  /** Also gives the job to another person. A job that gets or changes its date is booked, as in its form, unless its status is sent. */
  scheduleJob: call('jobs.work')
    .route({
      method: 'PUT',
      path: '/calendar/jobs/{id}',
      summary: 'Move a job to another time or person, change how long it takes, or take its date away',
      ...calendarTags,
    })
    .input(JobScheduleInput)
    .output(z.object({ job: ScheduledJob, ...withClashes }))
    .errors({ ...jobNotFound, ...staleVersion(ScheduledJob) }),

  scheduleTask: call('jobs.work')
    .route({
      method: 'PUT',
      path: '/calendar/tasks/{id}',
      summary: 'Move a task to another time or person, or change how long it takes',
      ...calendarTags,
    })
    .input(ScheduleInput)
    .output(z.object({ task: CalendarTask, ...withClashes }))
    .errors({ ...taskNotFound, ...staleVersion(CalendarTask.extend({ calendar_date: Instant.nullable() })) }),

  feed: call('work.view')
    .route({ method: 'GET', path: '/calendar/feed', summary: 'The address of my own calendar feed, if it is on', ...calendarTags })
    .output(CalendarFeed),

  /** A repeat answers with the address that is there. */
  openFeed: call('work.view')
    .route({ method: 'POST', path: '/calendar/feed', summary: 'Turn my calendar feed on', ...calendarTags })
    .output(CalendarFeed),

  closeFeed: call('work.view')
    .route({ method: 'DELETE', path: '/calendar/feed', summary: 'Turn my calendar feed off: its address stops working', ...calendarTags })
    .output(CalendarFeed),

  staffFeed: call('staff.manage')
    .route({
      method: 'GET',
      path: '/staff/{id}/calendar-feed',
      summary: 'Whether the calendar feed of a staff member is on',
      ...calendarTags,
    })
    .input(byId)
    .output(StaffFeed)
    .errors(staffNotFound),

  closeStaffFeed: call('staff.manage')
    .route({
      method: 'DELETE',
      path: '/staff/{id}/calendar-feed',
      summary: 'Turn the calendar feed of a staff member off: its address stops working',
      ...calendarTags,
    })
    .input(byId)
    .output(StaffFeed)
    .errors(staffNotFound),
};
