import type { SortOrder } from '@callout/contract/fields';
import { type Period, periodRange, startOfDay } from '@callout/domain/time/zoned-time';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { calendarEventsOptions } from '../calendar/calendar.api.ts';

const FRESH_MS = 2 * 60_000;

/** The screens show a failed read in place, with Retry. A colleague's change of one of these topics is read at once. */
const metaOf = (...topics: readonly string[]) => ({ inlineErrors: true, topics });

export const countsOptions = queryOptions({
  queryKey: ['dashboard', 'counts'],
  queryFn: ({ signal }) => api.dashboard.counts(undefined, { signal }),
  staleTime: FRESH_MS,
  meta: metaOf('customers', 'jobs', 'tasks', 'staff', 'categories'),
});

/** A day, 'yyyy-MM-dd', and the zone whose clocks it goes by. */
export interface Today {
  readonly today: string;
  readonly zone: string;
}

/** The jobs made in a period that ends with today. */
function createdIn(period: Period, { today, zone }: Today) {
  const range = periodRange(period, startOfDay(today, zone), zone);
  return range ? { created_from: range.from, created_to: range.to } : {};
}

export function categoriesOptions(period: Period, today: Today) {
  const input = createdIn(period, today);
  return queryOptions({
    queryKey: ['dashboard', 'categories', input],
    queryFn: ({ signal }) => api.dashboard.categories(input, { signal }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    meta: metaOf('jobs', 'categories'),
  });
}

export function recentJobsOptions(period: Period, order: SortOrder, today: Today) {
  const input = { ...createdIn(period, today), order };
  return queryOptions({
    queryKey: ['dashboard', 'jobs', input],
    queryFn: ({ signal }) => api.dashboard.recentJobs(input, { signal }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    meta: metaOf('jobs', 'customers', 'staff', 'categories'),
  });
}

export const moneyOptions = queryOptions({
  queryKey: ['dashboard', 'money'],
  queryFn: ({ signal }) => api.dashboard.money(undefined, { signal }),
  staleTime: FRESH_MS,
  meta: metaOf('jobs', 'invoices'),
});

/** What somebody is booked for on a day. Another day's bookings are not shown meanwhile. */
export function bookingsOptions(staffId: string, from: string, to: string) {
  const { placeholderData: _otherDays, ...options } = calendarEventsOptions({ from, to, staff_id: staffId });
  return options;
}
