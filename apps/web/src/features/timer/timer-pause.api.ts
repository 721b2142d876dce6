import type { Job, JobTimer } from '@callout/contract/jobs';
import type { ActiveTimer } from '@callout/contract/timer';
import { calculateElapsedSeconds } from '@callout/domain/timer/elapsed-time';
import type { QueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { getErrorMessage, getFieldErrors, hasErrorCode } from '../../lib/error-messages.ts';
import { toast } from '../../ui/toast.ts';
import { meQueryOptions, useMe } from '../company/company.api.ts';
import { monotonicNow, syncServerClock } from './server-clock.ts';
import { type PendingPause, usePendingPauses } from './timer-store.ts';

/** Stores a pause that was pressed offline. The pause is displayed everywhere and sent before the timer is next fetched. */
export function storePendingPause(staffId: string, pause: PendingPause): void {
  usePendingPauses.setState({ [staffId]: pause });
}

/** Returns the pending pause. There is at most one, because a person has at most one running timer. */
export function usePendingPause(): PendingPause | undefined {
  const { staff_id } = useMe().user;
  return usePendingPauses((pauses) => (staff_id ? pauses[staff_id] : undefined));
}

export const useHasPendingPause = (jobId: string) => usePendingPause()?.jobId === jobId;

/** Ends one running entry. Returns the timer unchanged if the entry isn't running. */
export function withPause<Timer extends JobTimer>(timer: Timer, { entryId, at }: Pick<PendingPause, 'entryId' | 'at'>): Timer {
  const paused = timer.running.filter(({ id }) => id === entryId).map(({ started_at }) => ({ started_at, ended_at: at }));
  if (paused.length === 0) return timer;
  const running = timer.running.filter(({ id }) => id !== entryId);
  return { ...timer, timer_status: 'paused', finished_seconds: timer.finished_seconds + calculateElapsedSeconds(paused, at), running };
}

export function withActiveTimerPaused(timer: ActiveTimer | null, pause: PendingPause | undefined): ActiveTimer | null {
  if (!timer || !pause || timer.entry.id !== pause.entryId || timer.entry.ended_at !== null) return timer;
  return { ...withPause(timer, pause), timer_status: 'paused', entry: { ...timer.entry, ended_at: pause.at } };
}

function removePendingPause(staffId: string): void {
  const { [staffId]: _sent, ...others } = usePendingPauses.getState();
  usePendingPauses.setState(others, true);
  if (Object.keys(others).length === 0) usePendingPauses.persist.clearStorage();
}

let inFlight: Promise<void> | null = null;

/** Sends the pending pause. Throws if the server is unreachable. Reports and drops a rejected pause. Idempotent, so retries are safe. */
export function sendPendingPause(queryClient: QueryClient): Promise<void> {
  inFlight ??= postPendingPause(queryClient).finally(() => {
    inFlight = null;
  });
  return inFlight;
}

async function postPendingPause(queryClient: QueryClient): Promise<void> {
  const staffId = queryClient.getQueryData(meQueryOptions.queryKey)?.user.staff_id;
  const pause = staffId ? usePendingPauses.getState()[staffId] : undefined;
  if (!staffId || !pause) return;
  try {
    const sentAt = monotonicNow();
    const job = await api.timer.pause({ job_id: pause.jobId, entry_id: pause.entryId, at: pause.at });
    syncServerClock(job.timer.server_time, sentAt);
    queryClient.setQueryData<Job>(['jobs', 'detail', job.id], (cached) => cached && job);
    toast.success('Timer paused');
  } catch (error) {
    if (!(['INVALID_INPUT', 'NOT_FOUND', 'FORBIDDEN'] as const).some((code) => hasErrorCode(error, code))) throw error;
    toast.error(`Failed to update timer: ${getFieldErrors(error)['at'] ?? getErrorMessage(error)}`);
  }
  removePendingPause(staffId);
  void queryClient.invalidateQueries({ queryKey: ['jobs'] });
}
