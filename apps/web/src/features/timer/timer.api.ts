import type { ActiveTimer } from '@callout/contract/timer';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { useCommands, useOverlays } from '../../lib/commands/overlays.ts';
import { useCan } from '../company/company.api.ts';
import { monotonicNow, syncServerClock } from './server-clock.ts';
import { mirrorActiveTimer } from './timer-store.ts';

const POLL_INTERVAL_MS = 5_000;

/** Query key that is also the topic of live updates about timers. */
export const TIMER_QUERY_KEY = ['timer'];

export interface ActiveTimerResponse {
  timer: ActiveTimer | null;
  server_time: string;
}

/** Shows no error toasts, because an offline page would show one for every poll. */
export const activeTimerQueryOptions = queryOptions({
  queryKey: TIMER_QUERY_KEY,
  queryFn: async ({ signal }): Promise<ActiveTimerResponse> => {
    const sentAt = monotonicNow();
    const response = await api.timer.active(undefined, { signal });
    syncServerClock(response.server_time, sentAt);
    mirrorActiveTimer(response.timer);
    return response;
  },
  refetchInterval: POLL_INTERVAL_MS,
  meta: { inlineErrors: true },
});

/** Returns the signed-in person's running or paused timer. */
export function useActiveTimer(): ActiveTimer | null {
  const enabled = useCan('jobs.work');
  const select = useOverlays<ActiveTimerResponse>(TIMER_QUERY_KEY);
  return useQuery({ ...activeTimerQueryOptions, select, enabled }).data?.timer ?? null;
}

/** Returns the last change of the job's timer that waits to be sent. Here, because the header shows it on every page. */
export function useUnsentTimerChange(jobId: string): 'start' | 'pause' | undefined {
  const changes = useCommands().filter(({ call, refusal }) => !refusal && (call === 'timer.start' || call === 'timer.pause'));
  const last = changes.findLast(({ details }) => (details as { job: { id: string } }).job.id === jobId);
  return last && (last.call === 'timer.start' ? 'start' : 'pause');
}
