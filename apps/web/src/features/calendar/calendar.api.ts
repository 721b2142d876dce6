import type { UnscheduledJob } from '@callout/contract/calendar';
import type { CalendarStatus } from '@callout/domain/calendar/calendar-event';
import { type InfiniteData, infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

export const calendarKeys = {
  all: ['calendar'],
  events: ['calendar', 'events'],
  unscheduled: ['calendar', 'unscheduled'],
  clashes: ['calendar', 'clashes'],
};
/** Mutation key shared by all changes that move or resize an event. */
export const SCHEDULE_MUTATION_KEY = ['calendar changes'];

/** Refetches when a topic changes, because colleagues and other pages edit the same records. */
const QUERY_META = { inlineErrors: true, topics: ['jobs', 'tasks', 'staff', 'customers'] };

/** Returns the cached data while a move is pending. A response from before the move would revert the optimistic update. */
const findCachedWhileMoving = <Data>(client: QueryClient, cached: Data | undefined) =>
  client.isMutating({ mutationKey: SCHEDULE_MUTATION_KEY }) > 0 ? cached : undefined;

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
    queryFn: async ({ client, queryKey, signal }) => {
      const response = await api.calendar.events(input, { signal });
      return findCachedWhileMoving(client, client.getQueryData<CalendarEventsResponse>(queryKey)) ?? response;
    },
    placeholderData: keepPreviousData,
    meta: QUERY_META,
  });
}

export type UnscheduledJobPages = InfiniteData<{ rows: UnscheduledJob[]; next_cursor: string | null; total: number }>;

/** Reads the active jobs without a date, newest first. */
export const unscheduledJobsQueryOptions = infiniteQueryOptions({
  queryKey: calendarKeys.unscheduled,
  queryFn: async ({ client, pageParam, signal }) => {
    const page = await api.calendar.unscheduled(pageParam === undefined ? {} : { cursor: pageParam }, { signal });
    const cached = client.getQueryData<UnscheduledJobPages>(calendarKeys.unscheduled);
    return findCachedWhileMoving(client, cached?.pages[cached.pageParams.indexOf(pageParam)]) ?? page;
  },
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  meta: QUERY_META,
});

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
