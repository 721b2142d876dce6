import type { CalendarJob, CalendarTask, UnscheduledJob } from '@callout/contract/calendar';
import {
  type ClashPair,
  calculateEventEnd,
  DEFAULT_EVENT_HOURS,
  detectClashes,
  isBusyStatus,
} from '@callout/domain/calendar/calendar-event';
import type { TaskColor } from '@callout/domain/tasks/task';
import { getJobStatusPill } from '../jobs/job-list-filter.ts';

export type EventKind = 'job' | 'task';

export interface EventStaff {
  readonly id: string;
  readonly name: string;
  readonly hex_code: string | null;
}

/** Time and person of an event. A job without a start is unscheduled and appears in the tray. */
export interface EventBooking {
  readonly start: string | null;
  /** Decimal string; null means the default of one hour. */
  readonly hours: string | null;
  readonly staff: EventStaff | null;
}

/** A job or task that can be moved, whether it is in the calendar or in the tray. */
export interface CalendarItem extends EventBooking {
  readonly kind: EventKind;
  readonly id: string;
  readonly title: string;
  readonly status: string;
  /** The row that the calendar or the tray displays. Null for a task, and for a job on its own page. */
  readonly job: CalendarJob | UnscheduledJob | null;
}

/** A job or task with a start time. */
export interface CalendarEvent extends CalendarItem {
  readonly start: string;
  readonly end: string;
  /** Label of the job's status, or 'Task' or 'Completed' for a task. */
  readonly statusLabel: string;
  /** Null for a job. */
  readonly color: TaskColor | null;
  /** True if the event takes up its assignee's time, so that it can clash with other events. */
  readonly isBusy: boolean;
  readonly isTimerRunning: boolean;
}

/** Caches the event for each row. A refetch reuses unchanged row objects, so their events aren't rendered again. */
function memoizeByRow<Row extends object, Event>(create: (row: Row) => Event): (row: Row) => Event {
  const cache = new WeakMap<Row, Event>();
  return (row) => {
    const event = cache.get(row) ?? create(row);
    cache.set(row, event);
    return event;
  };
}

export const toJobEvent = memoizeByRow((job: CalendarJob): CalendarEvent => {
  const { id, title, status, booking_date: start, duration: hours, staff } = job;
  return {
    kind: 'job',
    id,
    title,
    status,
    start,
    hours,
    staff,
    job,
    end: calculateEventEnd(start, hours),
    statusLabel: getJobStatusPill(status).text,
    color: null,
    isBusy: isBusyStatus(status),
    isTimerRunning: job.timer_status === 'started',
  };
});

export const toTaskEvent = memoizeByRow((task: CalendarTask): CalendarEvent => {
  const { id, title, status, color, calendar_date: start, calendar_duration: hours, staff } = task;
  return {
    kind: 'task',
    id,
    title,
    status,
    start,
    hours,
    staff,
    job: null,
    end: calculateEventEnd(start, hours),
    statusLabel: status === 'completed' ? 'Completed' : 'Task',
    color,
    isBusy: status === 'active',
    isTimerRunning: false,
  };
});

export const toUnscheduledItem = memoizeByRow((job: UnscheduledJob): CalendarItem => {
  const { id, title, status, duration: hours, staff } = job;
  return { kind: 'job', id, title, status, start: null, hours, staff, job };
});

export const getEventHours = ({ hours }: Pick<EventBooking, 'hours'>) => hours ?? DEFAULT_EVENT_HOURS;

/** Converts jobs and tasks to events, sorted by start. At the same time, jobs come before tasks. */
export function toCalendarEvents({ jobs, tasks }: { jobs: readonly CalendarJob[]; tasks: readonly CalendarTask[] }): CalendarEvent[] {
  return [...jobs.map(toJobEvent), ...tasks.map(toTaskEvent)].toSorted((one, other) => Date.parse(one.start) - Date.parse(other.start));
}

/** Clashing pairs, keyed by the id of the later event. See `detectClashes`. */
export type ClashMap = ReadonlyMap<string, ClashPair>;

export function findEventClashes(events: readonly CalendarEvent[]): ClashMap {
  const pairs = detectClashes(
    events.filter(({ isBusy }) => isBusy).map(({ id, staff, start, end }) => ({ id, staffId: staff?.id ?? null, start, end })),
  );
  return new Map(pairs.map((pair) => [pair.laterId, pair]));
}
