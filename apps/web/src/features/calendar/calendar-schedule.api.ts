import type { CalendarJob, Clash, UnscheduledJob } from '@callout/contract/calendar';
import type { Job } from '@callout/contract/jobs';
import {
  ACTIVE_JOB_STATUSES,
  BOOKABLE_STATUSES,
  type BookableStatus,
  getStatusAfterBooking,
  getStatusAfterUnbooking,
  type JobStatus,
} from '@callout/domain/jobs/job';
import type { TaskStatus } from '@callout/domain/tasks/task';
import { addToCount } from '@callout/domain/text/count-format';
import { formatDay, formatTime } from '@callout/domain/time/date-format';
import { toEpochMs } from '@callout/domain/time/wall-time';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import { useCallback } from 'react';
import { type CallOutput, defineCommand, overlay } from '../../lib/commands/define-command.ts';
import { TakenBackError, UNSENT, type Unsent } from '../../lib/commands/outbox.ts';
import { useCommand } from '../../lib/commands/use-command.ts';
import { getErrorMessage, hasErrorCode, reportFailure } from '../../lib/error-messages.ts';
import { getDisplayTimeZone } from '../../lib/time-zone.ts';
import { toast } from '../../ui/toast.ts';
import { UNASSIGNED_LABEL } from '../jobs/job-labels.tsx';
import { getJobStatusPill } from '../jobs/job-list-filter.ts';
import { getJobLane, jobKeys } from '../jobs/jobs.api.ts';
import { getTaskLane, overlayTask } from '../tasks/tasks.api.ts';
import { type CalendarEventsFilter, type CalendarEventsResponse, calendarKeys, type UnscheduledJobPages } from './calendar.api.ts';
import type { CalendarEvent, CalendarItem, EventBooking, EventStaff } from './calendar-event.ts';
import { formatClash, formatMinutes } from './calendar-format.ts';
import { formatWeekday } from './calendar-view.ts';

/** A move changes the start and possibly the person; a resize changes the hours. */
export interface ScheduleChange {
  readonly action: 'move' | 'resize';
  /** The event as the user saw it before the change. The server rejects the change if someone else has changed the event. */
  readonly event: CalendarItem;
  readonly to: {
    /** Null moves a job back to the tray. */
    readonly start: string | null;
    readonly hours?: string | null | undefined;
    readonly staff?: EventStaff | null | undefined;
    /** Status for a job that is no longer booked: the one from before a move that is undone, or 'pending' for an unscheduled job. */
    readonly status?: BookableStatus | undefined;
  };
}

/** Returns true for a job with a date and work left to do. Tasks have no tray, and finished work keeps its date. */
export const canUnschedule = ({ kind, start, status }: CalendarItem) =>
  kind === 'job' && start !== null && ACTIVE_JOB_STATUSES.some((active) => active === status);

/** Moves a job back to the tray. A booked job becomes pending. */
export const buildUnscheduling = (event: CalendarItem): ScheduleChange => ({
  action: 'move',
  event,
  to: { start: null, ...(event.status === 'booked' && { status: 'pending' }) },
});

export interface ScheduleResult {
  readonly booking: EventBooking & { readonly status: string };
  readonly clashes: readonly Clash[];
}

const toScheduleInput = ({ event: { id, start, hours, staff }, to }: ScheduleChange) => ({
  id,
  ...(to.hours !== undefined && { duration: to.hours }),
  ...(to.staff !== undefined && { staff_id: to.staff?.id ?? null }),
  seen: { starts_at: start, duration: hours, staff_id: staff?.id ?? null },
});

/** The shared part of the commands that move a job and a task. A second move starts where the first one ends. */
const scheduleCommand = {
  describe: describeChange,
  invalidates: [['jobs'], ['tasks']],
  isChained: true,
};

export const scheduleJob = defineCommand<'calendar.scheduleJob', ScheduleChange>({
  ...scheduleCommand,
  call: 'calendar.scheduleJob',
  toInput: (change) => ({ ...toScheduleInput(change), starts_at: change.to.start, ...(change.to.status && { status: change.to.status }) }),
  lane: ({ event }) => getJobLane(event.id),
  href: ({ event }) => `/jobs/${event.id}`,
  overlays: (change) => [
    overlayEvents(change),
    overlay<UnscheduledJobPages>(calendarKeys.unscheduled, (list) => withTrayChange(list, change)),
    overlay<Job>(jobKeys.detail(change.event.id), (job) => withJobBooking(job, change)),
  ],
});

export const scheduleTask = defineCommand<'calendar.scheduleTask', ScheduleChange & { readonly to: { readonly start: string } }>({
  ...scheduleCommand,
  call: 'calendar.scheduleTask',
  toInput: (change) => ({ ...toScheduleInput(change), starts_at: change.to.start }),
  lane: ({ event }) => getTaskLane(event.id),
  href: () => '/todo',
  overlays: (change) => {
    const { start, hours, staff } = getBookingAfter(change);
    const booking = { show_in_calendar: true, calendar_date: start, calendar_duration: hours, staff, staff_id: staff?.id ?? null };
    return [overlayEvents(change), ...overlayTask(change.event.id, booking)];
  },
});

const overlayEvents = (change: ScheduleChange) =>
  overlay<CalendarEventsResponse>(calendarKeys.events, (response, [, , filter]) =>
    withScheduleChange(response, change, filter as CalendarEventsFilter),
  );

function describeChange({ action, event: { title, start: before }, to: { start, hours } }: ScheduleChange): string {
  if (start === null) return `Move ${title} back to Unscheduled`;
  if (action === 'resize' && hours) return `Change the duration of ${title} to ${formatMinutes(Number(hours) * 60)}`;
  return `${before === null ? 'Book' : 'Move'} ${title} ${before === null ? 'for' : 'to'} ${formatStart(start, getDisplayTimeZone())}`;
}

/** Returns the events as they will be after the change. Adds an event that was in the tray or on other dates, if the filter includes it now. */
export function withScheduleChange(
  response: CalendarEventsResponse,
  change: ScheduleChange,
  filter: CalendarEventsFilter,
): CalendarEventsResponse {
  const { event } = change;
  const { start, hours, staff } = getBookingAfter(change);
  const isEvent = ({ id }: { id: string }) => id === event.id;
  if (start === null) return { ...response, jobs: response.jobs.filter((job) => !isEvent(job)) };
  const ms = toEpochMs(start);
  const isIncluded = ms >= toEpochMs(filter.from) && ms < toEpochMs(filter.to) && (!filter.staff_id || filter.staff_id === staff?.id);
  if (event.kind === 'task') {
    const booking = { calendar_date: start, calendar_duration: hours, staff };
    if (response.tasks.some(isEvent))
      return { ...response, tasks: response.tasks.map((task) => (isEvent(task) ? { ...task, ...booking } : task)) };
    const { id, title, status, color } = event as CalendarItem & Partial<Pick<CalendarEvent, 'color'>>;
    if (!isIncluded || !color) return response;
    return { ...response, tasks: [...response.tasks, { id, title, color, status: status as TaskStatus, ...booking }] };
  }
  const booking = { booking_date: start, duration: hours, staff };
  if (response.jobs.some(isEvent)) {
    const patch = (job: CalendarJob) => ({ ...job, ...booking, status: getStatusAfter(job, change) });
    return { ...response, jobs: response.jobs.map((job) => (isEvent(job) ? patch(job) : job)) };
  }
  if (!isIncluded || !event.job) return response;
  const added: CalendarJob = { timer_status: null, ...event.job, ...booking, status: getStatusAfter(event.job, change) };
  return { ...response, jobs: [...response.jobs, added] };
}

const isSameInstant = (one: string, other: string) => toEpochMs(one) === toEpochMs(other);

function getStatusAfter(
  { status, booking_date: before }: { status: JobStatus; booking_date?: string | null },
  { to }: ScheduleChange,
): JobStatus {
  if (to.status) return getStatusAfterUnbooking(status, to.status);
  return to.start === null || (before && isSameInstant(to.start, before)) ? status : getStatusAfterBooking(status);
}

const getBookingAfter = ({ event: { hours, staff }, to }: ScheduleChange): EventBooking => ({
  start: to.start,
  hours: to.hours === undefined ? hours : to.hours,
  staff: to.staff === undefined ? staff : to.staff,
});

function withJobBooking(job: Job, change: ScheduleChange): Job {
  const { start, hours, staff } = getBookingAfter(change);
  const assigned = staff?.id === job.staff?.id ? job.staff : staff && { ...staff, avatar_url: null };
  const status = getStatusAfter(job, change);
  return { ...job, booking_date: start, duration: hours, staff: assigned, staff_id: staff?.id ?? null, status };
}

/** Removes a booked job from the tray, or puts one back that is no longer booked. */
function withTrayChange(list: UnscheduledJobPages, change: ScheduleChange): UnscheduledJobPages {
  const { event } = change;
  const isListed = list.pages.some(({ rows }) => rows.some(({ id }) => id === event.id));
  const isUnscheduled = change.to.start === null;
  if (isListed === isUnscheduled || (isUnscheduled && !event.job)) return list;
  const count = (total: number) => addToCount(total, isUnscheduled ? 1 : -1);
  const pages = list.pages.map((page) => ({ ...page, rows: page.rows.filter(({ id }) => id !== event.id), total: count(page.total) }));
  const [first, ...others] = pages;
  if (!isUnscheduled || !event.job || !first) return { ...list, pages };
  const { hours, staff } = getBookingAfter(change);
  const row: UnscheduledJob = { created_at: '', ...event.job, duration: hours, staff, status: getStatusAfter(event.job, change) };
  return { ...list, pages: [{ ...first, rows: [row, ...first.rows] }, ...others] };
}

const SUCCESS_MESSAGES = {
  job: { move: 'Job rescheduled successfully', resize: 'Job duration updated' },
  task: { move: 'Task rescheduled successfully', resize: 'Task duration updated' },
};
/** Formats 'Wed, Nov 18, 9:00 AM'. */
const formatStart = (start: string, zone: string) =>
  `${formatWeekday(toLocalDate(start, zone))}, ${formatDay(start, zone)}, ${formatTime(start, zone)}`;

/** Formats the message for a job that left the tray or returned to it, such as 'Booked for Wed, Nov 18, 9:00 AM · Hemi Walker'. */
function formatTrayMessage({ start, staff }: EventBooking, zone: string): string {
  if (start === null) return 'Job moved back to Unscheduled';
  return `Booked for ${formatStart(start, zone)} · ${staff?.name ?? UNASSIGNED_LABEL}`;
}

const FAILURE_PREFIXES = { move: 'Failed to reschedule', resize: 'Failed to update duration' };

export function formatScheduleFailure(error: unknown, { action, event }: Pick<ScheduleChange, 'action' | 'event'>): string {
  if (hasErrorCode(error, 'STALE_VERSION')) return `${FAILURE_PREFIXES[action]}: this ${event.kind} has already been moved.`;
  if (hasErrorCode(error, 'NOT_FOUND')) return `${FAILURE_PREFIXES[action]}: this ${event.kind} has been deleted.`;
  return `${FAILURE_PREFIXES[action]}: ${getErrorMessage(error)}`;
}

/** Reports a failed change, unless it was taken back with the move that it started from. */
export function reportScheduleFailure(error: unknown, change: ScheduleChange): void {
  if (!(error instanceof TakenBackError)) reportFailure(error, formatScheduleFailure(error, change));
}

/** The same ids for every move of an event, so that a move can dismiss the previous toasts with their outdated Undo button. */
const getToastIds = ({ id }: CalendarItem) => ({ done: `moved ${id}`, clash: `clash of ${id}` });

const toJobResult = ({ job, clashes }: CallOutput<'calendar.scheduleJob'>): ScheduleResult => ({
  booking: { start: job.booking_date, hours: job.duration, staff: job.staff, status: job.status },
  clashes,
});

const toTaskResult = ({ task, clashes }: CallOutput<'calendar.scheduleTask'>): ScheduleResult => ({
  booking: { start: task.calendar_date, hours: task.calendar_duration, staff: task.staff, status: task.status },
  clashes,
});

/** Returns a function that moves or resizes an event. The caller reports failures. */
export function useScheduleMutation(zone: string): (change: ScheduleChange) => Promise<ScheduleResult | Unsent> {
  const { mutateAsync: moveJob } = useCommand(scheduleJob, { onAnswer: (answer, change) => reportSuccess(toJobResult(answer), change) });
  const { mutateAsync: moveTask } = useCommand(scheduleTask, { onAnswer: (answer, change) => reportSuccess(toTaskResult(answer), change) });
  const schedule = useCallback(
    async (change: ScheduleChange) => {
      const { event, to } = change;
      for (const id of Object.values(getToastIds(event))) toast.dismiss(id);
      if (event.kind === 'task' && to.start !== null) {
        const answer = await moveTask({ ...change, to: { ...to, start: to.start } });
        return answer === UNSENT ? answer : toTaskResult(answer);
      }
      const answer = await moveJob(change);
      return answer === UNSENT ? answer : toJobResult(answer);
    },
    [moveJob, moveTask],
  );

  const reportSuccess = ({ booking, clashes }: ScheduleResult, change: ScheduleChange) => {
    const { action, event } = change;
    const text = [
      event.start !== null && booking.start !== null ? SUCCESS_MESSAGES[event.kind][action] : formatTrayMessage(booking, zone),
      hasNewStatus(change, booking) && `It is now ${getJobStatusPill(booking.status).text}.`,
    ];
    const revert = buildUndo(change, booking);
    const undo = { label: 'Undo', run: () => void schedule(revert).catch((error: unknown) => reportScheduleFailure(error, revert)) };
    const ids = getToastIds(event);
    const [clash] = clashes;
    toast.success(text.filter(Boolean).join('. '), { id: ids.done, ...(!clash && { action: undo }) });
    if (clash && booking.start !== null)
      toast.blank(formatClash(clash, clashes.length, booking.start, zone), { id: ids.clash, action: undo });
  };
  return schedule;
}

/** Returns true if the change gave the job another status, unless the message already says 'Booked for …'. */
const hasNewStatus = ({ event }: ScheduleChange, booking: ScheduleResult['booking']) =>
  event.kind === 'job' && booking.status !== event.status && !(event.start === null && booking.status === 'booked');

function buildUndo({ action, event, to }: ScheduleChange, booking: ScheduleResult['booking']): ScheduleChange {
  const status = BOOKABLE_STATUSES.find((bookable) => bookable === event.status);
  return {
    action,
    event: { ...event, ...booking },
    to: {
      start: event.start,
      ...(to.hours !== undefined && { hours: event.hours }),
      ...(to.staff !== undefined && { staff: event.staff }),
      // Without a status, the server would book a pending job that gets its date back.
      ...(event.kind === 'job' && status && { status }),
    },
  };
}
