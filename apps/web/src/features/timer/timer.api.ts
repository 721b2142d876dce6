import type { ActiveTimer } from '@callout/contract/timer';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { useCan } from '../company/company.api.ts';
import { pageTime, syncServerClock } from './server-clock.ts';
import { activeWithPause, sendKeptPause, useKeptPause } from './timer-pause.api.ts';
import { mirrorTimer } from './timer-store.ts';

const POLL_MS = 5_000;

/** Also the topic of live updates. */
export const TIMER_KEY = ['timer'];
/** Start and Pause. Begins as JOB_CHANGES of jobs.api.ts, which most pages load without. */
export const TIMER_CHANGES = ['job changes', 'timer'];

export interface TimerAnswer {
  timer: ActiveTimer | null;
  server_time: string;
}

/** No toasts, since a poll may fail every five seconds. */
export const activeTimerQuery = queryOptions({
  queryKey: TIMER_KEY,
  queryFn: async ({ client, signal }): Promise<TimerAnswer> => {
    await sendKeptPause(client).catch(() => undefined);
    const sentAt = pageTime();
    const answer = await api.timer.active(undefined, { signal });
    syncServerClock(answer.server_time, sentAt);
    // Perhaps read before the change arrived: the timer would fall back to what it was before.
    const shown = client.getQueryData<TimerAnswer>(TIMER_KEY);
    if (shown && client.isMutating({ mutationKey: TIMER_CHANGES }) > 0) return shown;
    mirrorTimer(answer.timer);
    return answer;
  },
  refetchInterval: POLL_MS,
  meta: { inlineErrors: true },
});

/** The person's own timer, started or paused. */
export function useActiveTimer(): ActiveTimer | null {
  const enabled = useCan('jobs.work');
  const pause = useKeptPause();
  return activeWithPause(useQuery({ ...activeTimerQuery, enabled }).data?.timer ?? null, pause);
}
