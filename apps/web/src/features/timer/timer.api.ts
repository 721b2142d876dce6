import type { ActiveTimer } from '@callout/contract/timer';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { useCan } from '../company/company.api.ts';
import { monotonicNow, syncServerClock } from './server-clock.ts';
import { sendPendingPause, usePendingPause, withActiveTimerPaused } from './timer-pause.api.ts';
import { mirrorActiveTimer } from './timer-store.ts';

const POLL_INTERVAL_MS = 5_000;

/** Query key that is also the topic of live updates about timers. */
export const TIMER_QUERY_KEY = ['timer'];
export const TIMER_MUTATION_KEY = ['timer changes'];

export interface ActiveTimerResponse {
  timer: ActiveTimer | null;
  server_time: string;
}

/** Shows no error toasts, because an offline page would show one for every poll. */
export const activeTimerQueryOptions = queryOptions({
  queryKey: TIMER_QUERY_KEY,
  queryFn: async ({ client, signal }): Promise<ActiveTimerResponse> => {
    await sendPendingPause(client).catch(() => undefined);
    const sentAt = monotonicNow();
    const response = await api.timer.active(undefined, { signal });
    syncServerClock(response.server_time, sentAt);
    // This response may predate a pending start or pause. Displaying it would undo the optimistic update on screen.
    const cached = client.getQueryData<ActiveTimerResponse>(TIMER_QUERY_KEY);
    if (cached && client.isMutating({ mutationKey: TIMER_MUTATION_KEY }) > 0) return cached;
    mirrorActiveTimer(response.timer);
    return response;
  },
  refetchInterval: POLL_INTERVAL_MS,
  meta: { inlineErrors: true },
});

/** Returns the signed-in person's running or paused timer. */
export function useActiveTimer(): ActiveTimer | null {
  const enabled = useCan('jobs.work');
  const pause = usePendingPause();
  return withActiveTimerPaused(useQuery({ ...activeTimerQueryOptions, enabled }).data?.timer ?? null, pause);
}
