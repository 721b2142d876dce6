import type { UnscheduledJob } from '@callout/contract/calendar';
import type { CalendarStatus } from '@callout/domain/calendar/calendar-event';
import { type InfiniteData, infiniteQueryOptions, keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { useOverlays } from '../../lib/commands/overlays.ts';

export const calendarKeys = {
  all: ['calendar'],
  events: ['calendar', 'events'],
  unscheduled: ['calendar', 'unscheduled'],
  clashes: ['calendar', 'clashes'],
};

/** Refetches when a topic changes, because colleagues and other pages edit the same records. */
const QUERY_META = { inlineErrors: true, topics: ['jobs', 'tasks', 'staff', 'customers'] };

export interface CalendarEventsFilter {
  from: string;
  to: string;
  status?: CalendarStatus | undefined;
  staff_id?: string | undefined;
}

export type CalendarEventsResponse = Awaited<ReturnType<typeof api.calendar.events>>;

export function calendarEventsQueryOptions({ from, to, status, staff_id }: CalendarEventsFilter) {
  const input = { from, to, ...(status && { status }), ...(staff_id && { staff_id }) };
  return queryOptions({
    queryKey: [...calendarKeys.events, input],
    queryFn: ({ signal }) => api.calendar.events(input, { signal }),
    placeholderData: keepPreviousData,
    meta: QUERY_META,
  });
}

export type UnscheduledJobPages = InfiniteData<{ rows: UnscheduledJob[]; next_cursor: string | null; total: number }, string | undefined>;

/** Reads the active jobs without a date, newest first. */
export const unscheduledJobsQueryOptions = infiniteQueryOptions({
  queryKey: calendarKeys.unscheduled,
  queryFn: ({ pageParam, signal }) => api.calendar.unscheduled(pageParam === undefined ? {} : { cursor: pageParam }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  meta: QUERY_META,
});

/** Reads the events with the moves that wait. */
export function useCalendarEvents(filter: CalendarEventsFilter) {
  const options = calendarEventsQueryOptions(filter);
  const query = useQuery({ ...options, select: useOverlays<CalendarEventsResponse>(options.queryKey) });
  return { query, queryKey: options.queryKey };
}

export const useUnscheduledJobs = () =>
  useInfiniteQuery({ ...unscheduledJobsQueryOptions, select: useOverlays<UnscheduledJobPages>(calendarKeys.unscheduled) });

export interface ClashesInput {
  staff_id: string;
  starts_at: string;
  duration?: string;
  except_id?: string;
}

/** Reads the clashes that saving a booking would cause. */
export function clashesQueryOptions(input: ClashesInput) {
  return queryOptions({
    queryKey: [...calendarKeys.clashes, input],
    queryFn: async ({ signal }) => (await api.calendar.clashes(input, { signal })).clashes,
    meta: QUERY_META,
  });
}
