import type { CalendarJob, CalendarTask, Clash } from '@callout/contract/calendar';
import { BOOKABLE_STATUSES, type BookableStatus, statusOnceBooked } from '@callout/domain/jobs/job';
import { formatDay, formatTime } from '@callout/domain/time/date-format';
import { milliseconds } from '@callout/domain/time/wall-time';
import { localDate } from '@callout/domain/time/zoned-time';
import { type Mutation, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { hasCode, messageOf, reportFailure } from '../../lib/error-messages.ts';
import { updateOptimistically } from '../../lib/query-cache.ts';
import { toast } from '../../ui/toast.ts';
import { UNASSIGNED } from '../jobs/job-labels.tsx';
import { calendarKeys, type EventsAnswer, SCHEDULING, type UnscheduledPages } from './calendar.api.ts';
import { clashText } from './calendar-clashes.ts';
import type { EventBooking, EventStaff, Schedulable } from './calendar-event.ts';
import { weekdayOf } from './calendar-view.ts';

/** A move changes the start and perhaps the person; a resize changes the hours. */
export interface ScheduleChange {
  readonly action: 'move' | 'resize';
  /** As the person saw it when they picked it up. */
  readonly event: Schedulable;
  readonly to: {
    /** Null takes a job back into the tray. */
    readonly start: string | null;
    readonly hours?: string | null | undefined;
    readonly staff?: EventStaff | null | undefined;
    /** Of a job whose move is undone: booking it had changed that, too. */
    readonly status?: BookableStatus | undefined;
  };
}

export interface ScheduleAnswer {
  readonly booking: EventBooking & { readonly status: string };
  readonly clashes: readonly Clash[];
}

async function sendSchedule({ event, to }: ScheduleChange): Promise<ScheduleAnswer> {
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

/** The events with the change, before the server has answered. A job of the tray appears; other ranges than the one shown leave it out. */
export function withScheduleChange(answer: EventsAnswer, { event, to }: ScheduleChange): EventsAnswer {
  const { start, hours, staff } = bookingAfter(event, to);
  if (start === null) return { ...answer, jobs: answer.jobs.filter(({ id }) => id !== event.id) };
  if (event.kind === 'task') {
    const moved = { calendar_date: start, calendar_duration: hours, staff };
    return { ...answer, tasks: answer.tasks.map((task): CalendarTask => (task.id === event.id ? { ...task, ...moved } : task)) };
  }
  const moved = { booking_date: start, duration: hours, staff };
  const patch = (job: CalendarJob): CalendarJob => ({
    ...job,
    ...moved,
    status: to.status ?? (isSameInstant(start, job.booking_date) ? job.status : statusOnceBooked(job.status)),
  });
  if (event.start !== null || !event.job) return { ...answer, jobs: answer.jobs.map((job) => (job.id === event.id ? patch(job) : job)) };
  const added: CalendarJob = { ...event.job, ...moved, timer_status: null, status: statusOnceBooked(event.job.status) };
  return { ...answer, jobs: [...answer.jobs.filter(({ id }) => id !== event.id), added] };
}

const isSameInstant = (one: string, other: string) => milliseconds(one) === milliseconds(other);

const bookingAfter = ({ hours, staff }: EventBooking, to: ScheduleChange['to']): EventBooking => ({
  start: to.start,
  hours: to.hours === undefined ? hours : to.hours,
  staff: to.staff === undefined ? staff : to.staff,
});

const withoutUnscheduled = (list: UnscheduledPages, id: string): UnscheduledPages => ({
  ...list,
  pages: list.pages.map((page) => ({ ...page, rows: page.rows.filter((row) => row.id !== id), total: page.total - 1 })),
});

const WORDS = {
  job: { move: 'Job rescheduled successfully', resize: 'Job duration updated' },
  task: { move: 'Task rescheduled successfully', resize: 'Task duration updated' },
};
/** Of a job that has left the tray, or is back there: 'Booked for Wed, Nov 18, 9:00 AM · Hemi Walker'. */
function trayText({ start, staff }: EventBooking, zone: string): string {
  if (start === null) return 'Job is back in Unscheduled';
  const day = `${weekdayOf(localDate(start, zone))}, ${formatDay(start, zone)}`;
  return `Booked for ${day}, ${formatTime(start, zone)} · ${staff?.name ?? UNASSIGNED}`;
}

const FAILURES = { move: 'Failed to reschedule', resize: 'Failed to update duration' };

/** Why nothing changed, in one sentence. */
export function scheduleFailure(error: unknown, { action, event }: Pick<ScheduleChange, 'action' | 'event'>): string {
  if (hasCode(error, 'STALE_VERSION')) return `${FAILURES[action]}: someone else has moved this ${event.kind}.`;
  if (hasCode(error, 'NOT_FOUND')) return `${FAILURES[action]}: this ${event.kind} has been deleted.`;
  return `${FAILURES[action]}: ${messageOf(error)}`;
}

/** Not sent, because the move that it goes on from has failed. */
class NotSent extends Error {}

/** The move of the same event that was under way when this one was made. */
const before = new WeakMap<ScheduleChange, Mutation>();

function rememberBefore(queryClient: QueryClient, change: ScheduleChange): void {
  const pending = queryClient.getMutationCache().findAll({ mutationKey: SCHEDULING, status: 'pending' });
  const last = pending.findLast(({ state }) => {
    const other = state.variables as ScheduleChange | undefined;
    return other !== change && other?.event.id === change.event.id;
  });
  if (last) before.set(change, last);
}

function sendInTurn(change: ScheduleChange): Promise<ScheduleAnswer> {
  if (before.get(change)?.state.status === 'error') throw new NotSent('The move before it has failed');
  return sendSchedule(change);
}

/** Its text; a move that was not sent has none: why is said by the one before. */
export function reportScheduleFailure(error: unknown, change: ScheduleChange): void {
  if (!(error instanceof NotSent)) reportFailure(error, scheduleFailure(error, change));
}

/** One each per event, so that the Undo of an earlier move goes when the next one is made. */
const toastIds = ({ id }: Schedulable) => ({ done: `moved ${id}`, clash: `clash of ${id}` });

/**
 * Moves events, shown at once and taken back when it fails. One after the other: the second move of an event names where the first
 * one put it, and is dropped when that fails. Who calls it says why it failed.
 */
export function useSchedule(zone: string): (change: ScheduleChange) => Promise<ScheduleAnswer> {
  const queryClient = useQueryClient();
  const { mutateAsync } = useMutation({
    mutationKey: SCHEDULING,
    scope: { id: 'calendar' },
    mutationFn: sendInTurn,
    onMutate: async (change: ScheduleChange) => {
      rememberBefore(queryClient, change);
      for (const id of Object.values(toastIds(change.event))) toast.dismiss(id);
      const settleEvents = await updateOptimistically<EventsAnswer>(
        queryClient,
        { queryKey: calendarKeys.events, type: 'active' },
        (answer) => withScheduleChange(answer, change),
      );
      const isFromTray = change.event.start === null;
      const settleTray = isFromTray
        ? await updateOptimistically<UnscheduledPages>(queryClient, { queryKey: calendarKeys.unscheduled }, (list) =>
            withoutUnscheduled(list, change.event.id),
          )
        : undefined;
      return (error: unknown) => {
        settleEvents(error);
        settleTray?.(error);
      };
    },
    onSettled: (_answer, error, _change, settle) => settle?.(error),
    onSuccess: (answer, change) => reportSuccess(answer, change),
    meta: { refreshes: [['jobs'], ['tasks']] },
  });

  const reportSuccess = ({ booking, clashes }: ScheduleAnswer, change: ScheduleChange) => {
    const { action, event } = change;
    const words = event.start !== null && booking.start !== null ? WORDS[event.kind][action] : trayText(booking, zone);
    const back = undoOf(change, booking);
    const undo = { label: 'Undo', run: () => void mutateAsync(back).catch((error: unknown) => reportScheduleFailure(error, back)) };
    const ids = toastIds(event);
    const [clash] = clashes;
    toast.success(words, { id: ids.done, ...(!clash && { action: undo }) });
    if (clash && booking.start !== null)
      toast.blank(clashText(clash, clashes.length, booking.start, zone), { id: ids.clash, action: undo });
  };
  return mutateAsync;
}

function undoOf({ action, event, to }: ScheduleChange, booking: ScheduleAnswer['booking']): ScheduleChange {
  const status = BOOKABLE_STATUSES.find((bookable) => bookable === event.status);
  return {
    action,
    event: { ...event, ...booking },
    to: {
      start: event.start,
      ...(to.hours !== undefined && { hours: event.hours }),
      ...(to.staff !== undefined && { staff: event.staff }),
      ...(event.kind === 'job' && booking.status === 'booked' && status && { status }),
    },
  };
}
