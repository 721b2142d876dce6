import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { useOverlays } from '../../lib/commands/overlays.ts';
import { monotonicNow, syncServerClock } from './server-clock.ts';
import { TIMER_QUERY_KEY } from './timer.api.ts';

export const TIME_SHEET_KEY = [...TIMER_QUERY_KEY, 'sheet'];

export type TimeSheetResponse = Awaited<ReturnType<typeof api.timer.sheet>>;

/** Loads everyone that the signed-in person may see, unless `staffId` is set. Refetched when anyone's timer changes. */
export function timeSheetQueryOptions(week: string, staffId: string | undefined) {
  return queryOptions({
    queryKey: [...TIME_SHEET_KEY, week, staffId ?? null],
    queryFn: async ({ signal }) => {
      const sentAt = monotonicNow();
      const response = await api.timer.sheet({ week, ...(staffId ? { staff_id: staffId } : {}) }, { signal });
      syncServerClock(response.server_time, sentAt);
      return response;
    },
    meta: { inlineErrors: true },
  });
}

/** Reads a time sheet with the corrections that wait. */
export function useTimeSheet(week: string, staffId: string | undefined) {
  const options = timeSheetQueryOptions(week, staffId);
  return useQuery({ ...options, select: useOverlays<TimeSheetResponse>(options.queryKey) });
}
