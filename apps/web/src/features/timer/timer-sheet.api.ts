import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { pageTime, syncServerClock } from './server-clock.ts';

export type SheetAnswer = Awaited<ReturnType<typeof api.timer.sheet>>;

/** Of one person, or of everybody the reader may see. Read again when anybody's timer changes. */
export function timeSheetOptions(week: string, staffId: string | undefined) {
  return queryOptions({
    queryKey: ['timer', 'sheet', week, staffId ?? null],
    queryFn: async ({ signal }) => {
      const sentAt = pageTime();
      const answer = await api.timer.sheet({ week, ...(staffId ? { staff_id: staffId } : {}) }, { signal });
      syncServerClock(answer.server_time, sentAt);
      return answer;
    },
    meta: { inlineErrors: true },
  });
}
