import type { Job, JobTimer } from '@callout/contract/jobs';
import type { ActiveTimer } from '@callout/contract/timer';
import { elapsedSeconds } from '@callout/domain/timer/elapsed-time';
import type { QueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { fieldErrors, hasCode, messageOf } from '../../lib/error-messages.ts';
import { toast } from '../../ui/toast.ts';
import { meQuery, useMe } from '../company/company.api.ts';
import { pageTime, syncServerClock } from './server-clock.ts';
import { type KeptPause, useKeptPauses } from './timer-store.ts';

/** A pause that was pressed without a connection is kept in the browser, shown everywhere, and sent before the timer is read again. */
export function keepPause(staffId: string, pause: KeptPause): void {
  useKeptPauses.setState({ [staffId]: pause });
}

/** A person has one running timer, and so at most one. */
export function useKeptPause(): KeptPause | undefined {
  const { staff_id } = useMe().user;
  return useKeptPauses((pauses) => (staff_id ? pauses[staff_id] : undefined));
}

export const useIsUnsent = (jobId: string) => useKeptPause()?.jobId === jobId;

/** Ends one running entry; unchanged when it does not run. */
export function withPause<Timer extends JobTimer>(timer: Timer, { entryId, at }: Pick<KeptPause, 'entryId' | 'at'>): Timer {
  const paused = timer.running.filter(({ id }) => id === entryId).map(({ started_at }) => ({ started_at, ended_at: at }));
  if (paused.length === 0) return timer;
  const running = timer.running.filter(({ id }) => id !== entryId);
  return { ...timer, timer_status: 'paused', finished_seconds: timer.finished_seconds + elapsedSeconds(paused, at), running };
}

export function activeWithPause(timer: ActiveTimer | null, pause: KeptPause | undefined): ActiveTimer | null {
  if (!timer || !pause || timer.entry.id !== pause.entryId || timer.entry.ended_at !== null) return timer;
  return { ...withPause(timer, pause), timer_status: 'paused', entry: { ...timer.entry, ended_at: pause.at } };
}

function forgetPause(staffId: string): void {
  const { [staffId]: _sent, ...others } = useKeptPauses.getState();
  useKeptPauses.setState(others, true);
  if (Object.keys(others).length === 0) useKeptPauses.persist.clearStorage();
}

let sending: Promise<void> | null = null;

/** Fails while the server cannot be reached; what it refuses for good is told and dropped. Sent again after a lost answer, it changes nothing. */
export function sendKeptPause(queryClient: QueryClient): Promise<void> {
  sending ??= send(queryClient).finally(() => {
    sending = null;
  });
  return sending;
}

async function send(queryClient: QueryClient): Promise<void> {
  const staffId = queryClient.getQueryData(meQuery.queryKey)?.user.staff_id;
  const pause = staffId ? useKeptPauses.getState()[staffId] : undefined;
  if (!staffId || !pause) return;
  try {
    const sentAt = pageTime();
    const job = await api.timer.pause({ job_id: pause.jobId, entry_id: pause.entryId, at: pause.at });
    syncServerClock(job.timer.server_time, sentAt);
    queryClient.setQueryData<Job>(['jobs', 'detail', job.id], (shown) => shown && job);
    toast.success('Timer paused');
  } catch (error) {
    if (!(['INVALID_INPUT', 'NOT_FOUND', 'FORBIDDEN'] as const).some((code) => hasCode(error, code))) throw error;
    toast.error(`Failed to update timer: ${fieldErrors(error)['at'] ?? messageOf(error)}`);
  }
  forgetPause(staffId);
  void queryClient.invalidateQueries({ queryKey: ['jobs'] });
}
