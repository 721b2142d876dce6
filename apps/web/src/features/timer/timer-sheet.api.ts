import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { monotonicNow, syncServerClock } from './server-clock.ts';

export type TimeSheetResponse = Awaited<ReturnType<typeof api.timer.sheet>>;

/** Loads everyone that the signed-in person may see, unless `staffId` is set. Refetched when anyone's timer changes. */
export function timeSheetQueryOptions(week: string, staffId: string | undefined) {
  return queryOptions({
    queryKey: ['timer', 'sheet', week, staffId ?? null],
    queryFn: async ({ signal }) => {
      const sentAt = monotonicNow();
      const response = await api.timer.sheet({ week, ...(staffId ? { staff_id: staffId } : {}) }, { signal });
      syncServerClock(response.server_time, sentAt);
      return response;
    },
    meta: { inlineErrors: true },
  });
}
