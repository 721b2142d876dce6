import type { SortOrder } from '@callout/contract/fields';
import { getRollingPeriodRange, getStartOfDay, type RollingPeriod } from '@callout/domain/time/zoned-time';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { calendarEventsQueryOptions } from '../calendar/calendar.api.ts';

const STALE_TIME_MS = 2 * 60_000;

/** Builds query metadata. Errors appear inline with a Retry button, and a colleague's change to one of `topics` refetches at once. */
const createMeta = (...topics: readonly string[]) => ({ inlineErrors: true, topics });

export const dashboardCountsQueryOptions = queryOptions({
  queryKey: ['dashboard', 'counts'],
  queryFn: ({ signal }) => api.dashboard.counts(undefined, { signal }),
  staleTime: STALE_TIME_MS,
  meta: createMeta('customers', 'jobs', 'tasks', 'staff', 'categories'),
});

/** Today's date as 'yyyy-MM-dd' in the time zone `zone`. */
export interface TodayInZone {
  readonly today: string;
  readonly zone: string;
}

/** Builds the input that selects jobs created in `period`, which ends today. */
function toCreatedRangeInput(period: RollingPeriod, { today, zone }: TodayInZone) {
  const range = getRollingPeriodRange(period, getStartOfDay(today, zone), zone);
  return range ? { created_from: range.from, created_to: range.to } : {};
}

export function jobsByCategoryQueryOptions(period: RollingPeriod, today: TodayInZone) {
  const input = toCreatedRangeInput(period, today);
  return queryOptions({
    queryKey: ['dashboard', 'categories', input],
    queryFn: ({ signal }) => api.dashboard.categories(input, { signal }),
    placeholderData: keepPreviousData,
    staleTime: STALE_TIME_MS,
    meta: createMeta('jobs', 'categories'),
  });
}

export function recentJobsQueryOptions(period: RollingPeriod, order: SortOrder, today: TodayInZone) {
  const input = { ...toCreatedRangeInput(period, today), order };
  return queryOptions({
    queryKey: ['dashboard', 'jobs', input],
    queryFn: ({ signal }) => api.dashboard.recentJobs(input, { signal }),
    placeholderData: keepPreviousData,
    staleTime: STALE_TIME_MS,
    meta: createMeta('jobs', 'customers', 'staff', 'categories'),
  });
}

export const dashboardMoneyQueryOptions = queryOptions({
  queryKey: ['dashboard', 'money'],
  queryFn: ({ signal }) => api.dashboard.money(undefined, { signal }),
  staleTime: STALE_TIME_MS,
  meta: createMeta('jobs', 'invoices'),
});

/** Reads a person's bookings between two instants. Unlike the calendar, doesn't show the previous day's bookings while loading. */
export function staffBookingsQueryOptions(staffId: string, from: string, to: string) {
  const { placeholderData: _otherDays, ...options } = calendarEventsQueryOptions({ from, to, staff_id: staffId });
  return options;
}
