import type { CalendarJob, CalendarTask, Clash } from '@callout/contract/calendar';
import { ACTIVE_JOB_STATUSES, BOOKABLE_STATUSES, type BookableStatus, getStatusAfterBooking } from '@callout/domain/jobs/job';
import { addToCount } from '@callout/domain/text/count-format';
import { formatDay, formatTime } from '@callout/domain/time/date-format';
import { toEpochMs } from '@callout/domain/time/wall-time';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import { type Mutation, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { getErrorMessage, hasErrorCode, reportFailure } from '../../lib/error-messages.ts';
import { updateOptimistically } from '../../lib/query-cache.ts';
import { toast } from '../../ui/toast.ts';
import { UNASSIGNED_LABEL } from '../jobs/job-labels.tsx';
import { getJobStatusPill } from '../jobs/job-list-filter.ts';
import { type CalendarEventsResponse, calendarKeys, SCHEDULE_MUTATION_KEY, type UnscheduledJobPages } from './calendar.api.ts';
import type { CalendarItem, EventBooking, EventStaff } from './calendar-event.ts';
import { formatClash } from './calendar-format.ts';
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

async function sendScheduleChange({ event, to }: ScheduleChange): Promise<ScheduleResult> {
  const { kind, id, start, hours, staff } = event;
  const input = {
    id,
    ...(to.hours !== undefined && { duration: to.hours }),
    ...(to.staff !== undefined && { staff_id: to.staff?.id ?? null }),
    seen: { starts_at: start, duration: hours, staff_id: staff?.id ?? null },
  };
  if (kind === 'job' || to.start === null) {
    const { job, clashes } = await api.calendar.scheduleJob({ ...input, starts_at: to.start, ...(to.status && { status: to.status }) });
    return { booking: { start: job.booking_date, hours: job.duration, staff: job.staff, status: job.status }, clashes };
  }
  const { task, clashes } = await api.calendar.scheduleTask({ ...input, starts_at: to.start });
  return { booking: { start: task.calendar_date, hours: task.calendar_duration, staff: task.staff, status: task.status }, clashes };
}

/** Returns the response as it will be after the change, for the optimistic update. Adds a job that came from the tray. */
export function withScheduleChange(response: CalendarEventsResponse, { event, to }: ScheduleChange): CalendarEventsResponse {
  const { start, hours, staff } = getBookingAfter(event, to);
  if (start === null) return { ...response, jobs: response.jobs.filter(({ id }) => id !== event.id) };
  if (event.kind === 'task') {
    const moved = { calendar_date: start, calendar_duration: hours, staff };
    return { ...response, tasks: response.tasks.map((task): CalendarTask => (task.id === event.id ? { ...task, ...moved } : task)) };
  }
  const moved = { booking_date: start, duration: hours, staff };
  const patch = (job: CalendarJob): CalendarJob => ({
    ...job,
    ...moved,
    status: to.status ?? (isSameInstant(start, job.booking_date) ? job.status : getStatusAfterBooking(job.status)),
  });
  if (event.start !== null || !event.job)
    return { ...response, jobs: response.jobs.map((job) => (job.id === event.id ? patch(job) : job)) };
  const added: CalendarJob = { ...event.job, ...moved, timer_status: null, status: getStatusAfterBooking(event.job.status) };
  return { ...response, jobs: [...response.jobs.filter(({ id }) => id !== event.id), added] };
}

const isSameInstant = (one: string, other: string) => toEpochMs(one) === toEpochMs(other);

const getBookingAfter = ({ hours, staff }: EventBooking, to: ScheduleChange['to']): EventBooking => ({
  start: to.start,
  hours: to.hours === undefined ? hours : to.hours,
  staff: to.staff === undefined ? staff : to.staff,
});

const withoutUnscheduledJob = (list: UnscheduledJobPages, id: string): UnscheduledJobPages => ({
  ...list,
  pages: list.pages.map((page) => ({ ...page, rows: page.rows.filter((row) => row.id !== id), total: addToCount(page.total, -1) })),
});

const SUCCESS_MESSAGES = {
  job: { move: 'Job rescheduled successfully', resize: 'Job duration updated' },
  task: { move: 'Task rescheduled successfully', resize: 'Task duration updated' },
};
/** Formats the message for a job that left the tray or returned to it, such as 'Booked for Wed, Nov 18, 9:00 AM · Hemi Walker'. */
function formatTrayMessage({ start, staff }: EventBooking, zone: string): string {
  if (start === null) return 'Job moved back to Unscheduled';
  const day = `${formatWeekday(toLocalDate(start, zone))}, ${formatDay(start, zone)}`;
  return `Booked for ${day}, ${formatTime(start, zone)} · ${staff?.name ?? UNASSIGNED_LABEL}`;
}

const FAILURE_PREFIXES = { move: 'Failed to reschedule', resize: 'Failed to update duration' };

export function formatScheduleFailure(error: unknown, { action, event }: Pick<ScheduleChange, 'action' | 'event'>): string {
  if (hasErrorCode(error, 'STALE_VERSION')) return `${FAILURE_PREFIXES[action]}: this ${event.kind} has already been moved.`;
  if (hasErrorCode(error, 'NOT_FOUND')) return `${FAILURE_PREFIXES[action]}: this ${event.kind} has been deleted.`;
  return `${FAILURE_PREFIXES[action]}: ${getErrorMessage(error)}`;
}

/** Thrown instead of sending a move if the same event's previous move has failed. */
class PreviousMoveFailedError extends Error {}

/** Maps each change to the same event's move that was pending when the change was made. */
const previousMoves = new WeakMap<ScheduleChange, Mutation>();

function recordPreviousMove(queryClient: QueryClient, change: ScheduleChange): void {
  const pending = queryClient.getMutationCache().findAll({ mutationKey: SCHEDULE_MUTATION_KEY, status: 'pending' });
  const previous = pending.findLast(({ state }) => {
    const other = state.variables as ScheduleChange | undefined;
    return other !== change && other?.event.id === change.event.id;
  });
  if (previous) previousMoves.set(change, previous);
}

function sendAfterPreviousMove(change: ScheduleChange): Promise<ScheduleResult> {
  if (previousMoves.get(change)?.state.status === 'error') throw new PreviousMoveFailedError('The previous move of this event failed');
  return sendScheduleChange(change);
}

/** Reports a failed change. Ignores a move that was never sent, because the previous move's failure has already been reported. */
export function reportScheduleFailure(error: unknown, change: ScheduleChange): void {
  if (!(error instanceof PreviousMoveFailedError)) reportFailure(error, formatScheduleFailure(error, change));
}

/** The same ids for every move of an event, so that a move can dismiss the previous toasts with their outdated Undo button. */
const getToastIds = ({ id }: CalendarItem) => ({ done: `moved ${id}`, clash: `clash of ${id}` });

/**
 * Returns a function that moves or resizes an event optimistically and rolls back on failure. Changes run one after another. An event's
 * second change builds on the first one, so it isn't sent if the first one fails. The caller reports failures.
 */
export function useScheduleMutation(zone: string): (change: ScheduleChange) => Promise<ScheduleResult> {
  const queryClient = useQueryClient();
  const { mutateAsync } = useMutation({
    mutationKey: SCHEDULE_MUTATION_KEY,
    scope: { id: 'calendar' },
    mutationFn: sendAfterPreviousMove,
    onMutate: async (change: ScheduleChange) => {
      recordPreviousMove(queryClient, change);
      for (const id of Object.values(getToastIds(change.event))) toast.dismiss(id);
      const settleEvents = await updateOptimistically<CalendarEventsResponse>(
        queryClient,
        { queryKey: calendarKeys.events, type: 'active' },
        (response) => withScheduleChange(response, change),
      );
      const isFromTray = change.event.start === null;
      const settleTray = isFromTray
        ? await updateOptimistically<UnscheduledJobPages>(queryClient, { queryKey: calendarKeys.unscheduled }, (list) =>
            withoutUnscheduledJob(list, change.event.id),
          )
        : undefined;
      return (error: unknown) => {
        settleEvents(error);
        settleTray?.(error);
      };
    },
    onSettled: (_response, error, _change, settle) => settle?.(error),
    onSuccess: (response, change) => reportSuccess(response, change),
    meta: { invalidates: [['jobs'], ['tasks']] },
  });

  const reportSuccess = ({ booking, clashes }: ScheduleResult, change: ScheduleChange) => {
    const { action, event } = change;
    const text = [
      event.start !== null && booking.start !== null ? SUCCESS_MESSAGES[event.kind][action] : formatTrayMessage(booking, zone),
      hasNewStatus(change, booking) && `It is now ${getJobStatusPill(booking.status).text}.`,
    ];
    const revert = buildUndo(change, booking);
    const undo = { label: 'Undo', run: () => void mutateAsync(revert).catch((error: unknown) => reportScheduleFailure(error, revert)) };
    const ids = getToastIds(event);
    const [clash] = clashes;
    toast.success(text.filter(Boolean).join('. '), { id: ids.done, ...(!clash && { action: undo }) });
    if (clash && booking.start !== null)
      toast.blank(formatClash(clash, clashes.length, booking.start, zone), { id: ids.clash, action: undo });
  };
  return mutateAsync;
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
