import type { CalendarJob, CalendarTask, Clash, UnscheduledJob } from '@callout/contract/calendar';
import type { CalendarStatus } from '@callout/domain/calendar/calendar-event';
import { type JobStatus, statusOnceBooked } from '@callout/domain/jobs/job';
import { milliseconds } from '@callout/domain/time/wall-time';
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { hasCode, messageOf, reportFailure } from '../../lib/error-messages.ts';
import { updateOptimistically } from '../../lib/query-cache.ts';
import { toast } from '../../ui/toast.ts';
import { clashText } from './calendar-clashes.ts';
import { type EventBooking, type EventStaff, hoursOf, type Schedulable } from './calendar-event.ts';

export const calendarKeys = {
  all: ['calendar'],
  events: ['calendar', 'events'],
  unscheduled: ['calendar', 'unscheduled'],
  clashes: ['calendar', 'clashes'],
};
/** The key of mutations that move an event or change how long it takes. */
export const SCHEDULING = ['calendar changes'];

/** Whatever shows here may be changed on other pages, and by colleagues. */
const meta = { inlineErrors: true, topics: ['jobs', 'tasks', 'staff', 'customers'] };

export interface EventFilter {
  from: string;
  to: string;
  status?: CalendarStatus | undefined;
  staff_id?: string | undefined;
}

export type EventsAnswer = Awaited<ReturnType<typeof api.calendar.events>>;

/** What takes place between two instants. */
export function calendarEventsOptions({ from, to, status, staff_id }: EventFilter) {
  const input = { from, to, ...(status && { status }), ...(staff_id && { staff_id }) };
  return queryOptions({
    queryKey: [...calendarKeys.events, input],
    queryFn: async ({ client, queryKey, signal }) => {
      const answer = await api.calendar.events(input, { signal });
      // Perhaps read before a move arrived, which would then be taken back until the server answers it.
      const shown = client.getQueryData<EventsAnswer>(queryKey);
      return shown && client.isMutating({ mutationKey: SCHEDULING }) > 0 ? shown : answer;
    },
    placeholderData: keepPreviousData,
    meta,
  });
}

/** Jobs to do that have no date, the newest first. */
export const unscheduledOptions = infiniteQueryOptions({
  queryKey: calendarKeys.unscheduled,
  queryFn: ({ pageParam, signal }) => api.calendar.unscheduled(pageParam === undefined ? {} : { cursor: pageParam }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  meta,
});

export interface ClashQuestion {
  staff_id: string;
  starts_at: string;
  duration?: string;
  except_id?: string;
}

/** What else takes a person's time, to be told before something is booked. */
export function clashesOptions(question: ClashQuestion) {
  return queryOptions({
    queryKey: [...calendarKeys.clashes, question],
    queryFn: async ({ signal }) => (await api.calendar.clashes(question, { signal })).clashes,
    meta,
  });
}

/** A move changes the start and perhaps the person; a resize changes the hours. */
export interface ScheduleChange {
  readonly action: 'move' | 'resize';
  /** As the person saw it when they picked it up. */
  readonly event: Schedulable;
  readonly to: {
    readonly start: string;
    readonly hours?: string | undefined;
    readonly staff?: EventStaff | null | undefined;
    /** Of a job whose move is undone: booking it had changed that, too. */
    readonly status?: JobStatus | undefined;
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
    starts_at: to.start,
    ...(to.hours !== undefined && { duration: to.hours }),
    ...(to.staff !== undefined && { staff_id: to.staff?.id ?? null }),
    seen: { starts_at: start, duration: hours, staff_id: staff?.id ?? null },
  };
  if (kind === 'job') {
    const { job, clashes } = await api.calendar.scheduleJob(input);
    // What a colleague has made of it since it was booked stays.
    const status = to.status !== undefined && job.status === statusOnceBooked(to.status) ? to.status : job.status;
    if (status !== job.status) await api.jobs.setStatus({ id, status, from: job.status });
    return { booking: { start: job.booking_date, hours: job.duration, staff: job.staff, status }, clashes };
  }
  const { task, clashes } = await api.calendar.scheduleTask(input);
  return { booking: { start: task.calendar_date, hours: task.calendar_duration, staff: task.staff, status: task.status }, clashes };
}

/** The events with the change, before the server has answered. A job of the tray appears; other ranges than the one shown leave it out. */
export function withScheduleChange(answer: EventsAnswer, { event, to }: ScheduleChange): EventsAnswer {
  const { start, hours, staff } = bookingAfter(event, to);
  if (start === null) return answer;
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
  hours: to.hours ?? hours,
  staff: to.staff === undefined ? staff : to.staff,
});

type UnscheduledPages = InfiniteData<{ rows: readonly UnscheduledJob[]; next_cursor: string | null; total: number }>;

const withoutUnscheduled = (list: UnscheduledPages, id: string): UnscheduledPages => ({
  ...list,
  pages: list.pages.map((page) => ({ ...page, rows: page.rows.filter((row) => row.id !== id), total: page.total - 1 })),
});

const WORDS = {
  job: { move: 'Job rescheduled successfully', resize: 'Job duration updated' },
  task: { move: 'Task rescheduled successfully', resize: 'Task duration updated' },
};
const FAILURES = { move: 'Failed to reschedule', resize: 'Failed to update duration' };

/** Why nothing changed, in one sentence. */
export function scheduleFailure(error: unknown, { action, event }: Pick<ScheduleChange, 'action' | 'event'>): string {
  if (hasCode(error, 'STALE_VERSION')) return `${FAILURES[action]}: someone else has moved this ${event.kind}.`;
  if (hasCode(error, 'NOT_FOUND')) return `${FAILURES[action]}: this ${event.kind} has been deleted.`;
  return `${FAILURES[action]}: ${messageOf(error)}`;
}

/**
 * Moves events, shown at once and taken back when it fails. One after the other: the second move of an event names where the first
 * one put it.
 */
export function useSchedule(zone: string) {
  const queryClient = useQueryClient();
  const { mutate } = useMutation({
    mutationKey: SCHEDULING,
    scope: { id: 'calendar' },
    mutationFn: sendSchedule,
    onMutate: async (change: ScheduleChange) => {
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
    onError: (error, change) => reportFailure(error, scheduleFailure(error, change)),
  });

  const reportSuccess = ({ booking, clashes }: ScheduleAnswer, { action, event, to }: ScheduleChange) => {
    const words = WORDS[event.kind][action];
    const { start } = event;
    const undo = () => {
      if (start === null) return;
      mutate({
        action,
        event: { ...event, ...booking },
        to: {
          start,
          ...(to.hours !== undefined && { hours: hoursOf(event) }),
          ...(to.staff !== undefined && { staff: event.staff }),
          ...(event.job && booking.status === statusOnceBooked(event.job.status) && { status: event.job.status }),
        },
      });
    };
    const undoButton = start === null ? {} : { action: { label: 'Undo', run: undo } };
    const [clash] = clashes;
    if (!clash) {
      toast.success(words, undoButton);
      return;
    }
    toast.success(words);
    toast.blank(clashText(clash, clashes.length, zone), undoButton);
  };
  return mutate;
}
