import type { CalendarJob, CalendarTask, UnscheduledJob } from '@callout/contract/calendar';
import { type ClashPair, clashesIn, DEFAULT_EVENT_HOURS, eventEnd, takesTime } from '@callout/domain/calendar/calendar-event';
import type { TaskColor } from '@callout/domain/tasks/task';
import { statusPill } from '../jobs/job-filter.ts';

export type EventKind = 'job' | 'task';

export interface EventStaff {
  readonly id: string;
  readonly name: string;
  readonly hex_code: string | null;
}

/** Where something is booked; without a start it waits in the tray. */
export interface EventBooking {
  readonly start: string | null;
  /** Exact decimal text; null takes an hour. */
  readonly hours: string | null;
  readonly staff: EventStaff | null;
}

/** Something that can be moved: a job or a task, in the calendar or in the tray. */
export interface Schedulable extends EventBooking {
  readonly kind: EventKind;
  readonly id: string;
  readonly title: string;
  readonly status: string;
  /** Of a job. */
  readonly job: CalendarJob | UnscheduledJob | null;
}

/** A job or task with its time. */
export interface CalendarEvent extends Schedulable {
  readonly start: string;
  readonly end: string;
  /** The word of its status, or 'Task'. */
  readonly word: string;
  /** Of a task. */
  readonly color: TaskColor | null;
  /** Takes its person's time, and so can clash. */
  readonly isBusy: boolean;
  readonly isTimerRunning: boolean;
}

/** A refetch keeps the rows that have not changed: their events stay the same ones, and are not drawn again. */
function oncePerRow<Row extends object, Event>(make: (row: Row) => Event): (row: Row) => Event {
  const made = new WeakMap<Row, Event>();
  return (row) => {
    const event = made.get(row) ?? make(row);
    made.set(row, event);
    return event;
  };
}

export const jobEvent = oncePerRow((job: CalendarJob): CalendarEvent => {
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
    end: eventEnd(start, hours),
    word: statusPill(status).text,
    color: null,
    isBusy: takesTime(status),
    isTimerRunning: job.timer_status === 'started',
  };
});

export const taskEvent = oncePerRow((task: CalendarTask): CalendarEvent => {
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
    end: eventEnd(start, hours),
    word: status === 'completed' ? 'Completed' : 'Task',
    color,
    isBusy: status === 'active',
    isTimerRunning: false,
  };
});

/** A job of the tray. */
export const unscheduledEvent = oncePerRow((job: UnscheduledJob): Schedulable => {
  const { id, title, status, duration: hours, staff } = job;
  return { kind: 'job', id, title, status, start: null, hours, staff, job };
});

export const hoursOf = ({ hours }: Pick<EventBooking, 'hours'>) => hours ?? DEFAULT_EVENT_HOURS;

/** By start; a job before a task that starts with it. */
export function calendarEvents({ jobs, tasks }: { jobs: readonly CalendarJob[]; tasks: readonly CalendarTask[] }): CalendarEvent[] {
  return [...jobs.map(jobEvent), ...tasks.map(taskEvent)].toSorted((one, other) => Date.parse(one.start) - Date.parse(other.start));
}

/** By the later event: see `clashesIn`. */
export type Clashes = ReadonlyMap<string, ClashPair>;

export function clashesOf(events: readonly CalendarEvent[]): Clashes {
  const pairs = clashesIn(
    events.filter(({ isBusy }) => isBusy).map(({ id, staff, start, end }) => ({ id, staffId: staff?.id ?? null, start, end })),
  );
  return new Map(pairs.map((pair) => [pair.laterId, pair]));
}
