import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

export type SheetAnswer = Awaited<ReturnType<typeof api.timer.sheet>>;

/** Of one person, or of everybody the reader may see. Read again when anybody's timer changes. */
export function timeSheetOptions(week: string, staffId: string | undefined) {
  return queryOptions({
    queryKey: ['timer', 'sheet', week, staffId ?? null],
    queryFn: ({ signal }) => api.timer.sheet({ week, ...(staffId ? { staff_id: staffId } : {}) }, { signal }),
    meta: { inlineErrors: true },
  });
}
