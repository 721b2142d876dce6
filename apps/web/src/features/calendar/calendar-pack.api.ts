import { calculateEventEnd } from '@callout/domain/calendar/calendar-event';
import { addDays, toLocalDate } from '@callout/domain/time/zoned-time';
import { getWeekDates, getWeekStart } from '@callout/domain/timer/time-sheet';
import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { commentsQueryOptions } from '../comments/comments.api.ts';
import { customerQueryOptions } from '../customers/customers.api.ts';
import { jobQueryOptions } from '../jobs/jobs.api.ts';
import { type CalendarEventsResponse, calendarEventsQueryOptions } from './calendar.api.ts';
import { getVisibleRange } from './calendar-view.ts';

/** How many days before and after today a pack contains. */
const PACK_DAYS = 3;

export interface DayPack {
  /** Hashes of the queries that got data. */
  readonly hashes: readonly string[];
  readonly thumbnailUrls: readonly string[];
}

/** Reads my jobs of the days around today and everyone's calendar, and caches them under the keys of the pages that show them. */
export async function loadDayPack(queryClient: QueryClient, staffId: string, zone: string): Promise<DayPack> {
  const requestedAt = Date.now();
  const today = toLocalDate(new Date(requestedAt).toISOString(), zone);
  const days = Array.from({ length: 2 * PACK_DAYS + 1 }, (_, index) => addDays(today, index - PACK_DAYS));
  const week = getWeekDates(getWeekStart(today));
  const [pack, events] = await Promise.all([
    api.calendar.pack(getVisibleRange(days, zone)),
    api.calendar.events(getVisibleRange([...days, ...week].toSorted(), zone)),
  ]);
  const entries: [QueryKey, unknown][] = [
    ...pack.jobs.map((job): [QueryKey, unknown] => [jobQueryOptions(job.id).queryKey, job]),
    ...pack.customers.map((customer): [QueryKey, unknown] => [customerQueryOptions(customer.id).queryKey, customer]),
    ...pack.comments.map(({ job_id, rows }): [QueryKey, unknown] => [commentsQueryOptions(job_id).queryKey, rows]),
    ...(events.is_cut ? [] : [...days.map((day) => [day]), week].flatMap((view) => splitEvents(events, view, staffId, zone))),
  ];
  for (const [key, data] of entries) cacheUnlessNewer(queryClient, key, data, requestedAt);
  const attachments = pack.comments.flatMap(({ rows }) => rows.flatMap((comment) => comment.attachments));
  return {
    hashes: entries.map(([key]) => hashKey(key)),
    thumbnailUrls: attachments.flatMap(({ thumbnail_url }) => thumbnail_url ?? []),
  };
}

/** Returns the events of a calendar view, with everyone's and with only this person's, as two requests would have. */
function splitEvents(events: CalendarEventsResponse, days: readonly string[], staffId: string, zone: string): [QueryKey, unknown][] {
  const range = getVisibleRange(days, zone);
  const isVisible = (start: string, hours: string | null) => start < range.to && calculateEventEnd(start, hours) > range.from;
  const shown = {
    jobs: events.jobs.filter(({ booking_date, duration }) => isVisible(booking_date, duration)),
    tasks: events.tasks.filter(({ calendar_date, calendar_duration }) => isVisible(calendar_date, calendar_duration)),
    is_cut: false,
  };
  const isMine = ({ staff }: { staff: { id: string } | null }) => staff?.id === staffId;
  const mine = { ...shown, jobs: shown.jobs.filter(isMine), tasks: shown.tasks.filter(isMine) };
  return [
    [calendarEventsQueryOptions(range).queryKey, shown],
    [calendarEventsQueryOptions({ ...range, staff_id: staffId }).queryKey, mine],
  ];
}

/** Counts as stale, so that a page with a connection refetches it: a change that was accepted since the request may be missing. */
function cacheUnlessNewer(queryClient: QueryClient, queryKey: QueryKey, data: unknown, requestedAt: number): void {
  const cached = queryClient.getQueryCache().find({ queryKey });
  if (cached && (cached.isActive() || cached.state.dataUpdatedAt > requestedAt)) return;
  queryClient.setQueryData(queryKey, data, { updatedAt: requestedAt });
  queryClient.getQueryCache().find({ queryKey })?.invalidate();
}
