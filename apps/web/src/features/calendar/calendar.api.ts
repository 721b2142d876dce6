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
/** The key of mutations that move an event or change how long it takes. */
export const SCHEDULING = ['calendar changes'];

/** Whatever shows here may be changed on other pages, and by colleagues. */
const meta = { inlineErrors: true, topics: ['jobs', 'tasks', 'staff', 'customers'] };

/** What was read while a move is under way was perhaps read before that arrived, and would take it back until the server answers. */
const shownWhileMoving = <Shown>(client: QueryClient, shown: Shown | undefined) =>
  client.isMutating({ mutationKey: SCHEDULING }) > 0 ? shown : undefined;

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
      return shownWhileMoving(client, client.getQueryData<EventsAnswer>(queryKey)) ?? answer;
    },
    placeholderData: keepPreviousData,
    meta,
  });
}

export type UnscheduledPages = InfiniteData<{ rows: UnscheduledJob[]; next_cursor: string | null; total: number }>;

/** Jobs to do that have no date, the newest first. */
export const unscheduledOptions = infiniteQueryOptions({
  queryKey: calendarKeys.unscheduled,
  queryFn: async ({ client, pageParam, signal }) => {
    const page = await api.calendar.unscheduled(pageParam === undefined ? {} : { cursor: pageParam }, { signal });
    const shown = client.getQueryData<UnscheduledPages>(calendarKeys.unscheduled);
    return shownWhileMoving(client, shown?.pages[shown.pageParams.indexOf(pageParam)]) ?? page;
  },
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
