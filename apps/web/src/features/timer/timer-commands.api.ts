import type { Job, JobTimer } from '@callout/contract/jobs';
import type { ActiveTimer } from '@callout/contract/timer';
import { type QueryClient, useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { createId } from '../../lib/create-id.ts';
import {
  getErrorMessage,
  getFieldErrors,
  hasErrorCode,
  ignoreNotFound,
  isAbortOrTimeout,
  isNetworkFailure,
} from '../../lib/error-messages.ts';
import { updateOptimistically } from '../../lib/query-cache.ts';
import { toast } from '../../ui/toast.ts';
import { useMe } from '../company/company.api.ts';
import { cacheJobAfterItemChanges, jobKeys } from '../jobs/jobs.api.ts';
import { getServerInstant, monotonicNow, syncServerClock } from './server-clock.ts';
import { type ActiveTimerResponse, TIMER_MUTATION_KEY, TIMER_QUERY_KEY, useActiveTimer } from './timer.api.ts';
import { sendPendingPause, storePendingPause, withPause } from './timer-pause.api.ts';
import { mirrorActiveTimer, useTimerStore } from './timer-store.ts';

export type TimedJob = Pick<Job, 'id' | 'job_number' | 'title' | 'job_type' | 'currency' | 'duration' | 'timer'>;

export const toTimedJob = ({ job_id, job_number, title, job_type, currency, duration, ...timer }: ActiveTimer): TimedJob => ({
  id: job_id,
  job_number,
  title,
  job_type,
  currency,
  duration,
  timer,
});

const STARTED_TEXT = 'Timer started';
const REFUSAL_TOAST_TIMEOUT_MS = 5_000;
const FAILURE_TEXT = 'Failed to update timer';
const ALREADY_ALLOCATED_MESSAGE = 'The time was already allocated, to the item you chose first. You can change it in the list of items.';

export function useMyRunningEntry({ timer }: TimedJob): JobTimer['running'][number] | undefined {
  const { staff_id } = useMe().user;
  return timer.running.find((entry) => entry.staff_id === staff_id);
}

export const useIsTimerChanging = () => useIsMutating({ mutationKey: TIMER_MUTATION_KEY }) > 0;

/**
 * Starts the timer optimistically. If this page knows that a timer is running on another job, the server rejects the start. If that timer
 * was started on another device and the page doesn't know about it yet, the server pauses it.
 */
export function useStartTimer(job: TimedJob) {
  const queryClient = useQueryClient();
  const { user } = useMe();
  const active = useActiveTimer();
  const mirroredJobId = useTimerStore((store) => store.jobId);
  const isLoaded = queryClient.getQueryData(TIMER_QUERY_KEY) !== undefined;
  const activeJobId = active?.timer_status === 'started' ? active.job_id : null;
  const runningJobId = isLoaded ? activeJobId : mirroredJobId;
  const hasOtherTimer = runningJobId !== null && runningJobId !== job.id;
  /** Idempotency key, so that a retry after a lost response doesn't create a second entry. */
  const [id, setId] = useState(createId);
  if (active?.entry.id === id) setId(createId());
  return useMutation({
    mutationKey: TIMER_MUTATION_KEY,
    mutationFn: async () => {
      await sendPendingPause(queryClient);
      return sendAndSyncClock(() => api.timer.start({ id, job_id: job.id, pause_others: !hasOtherTimer }));
    },
    onMutate: async () => {
      if (hasOtherTimer || !user.staff_id) return undefined;
      const started_at = getServerInstant();
      const myEntry = { id, staff_id: user.staff_id, staff_name: user.name ?? '', started_at };
      const start = (timer: JobTimer): JobTimer => ({ ...timer, timer_status: 'started', running: [...timer.running, myEntry] });
      return patchTimer(queryClient, job, start, { status: 'started', entry: { id, started_at, ended_at: null, version: 1 } });
    },
    onSuccess: (saved) => {
      setId(createId());
      cacheJobAfterItemChanges(queryClient, saved, 0);
      const mine = saved.timer.running.find(({ staff_id }) => staff_id === user.staff_id);
      if (mine) cacheTimer(queryClient, saved, 'started', { id: mine.id, started_at: mine.started_at, ended_at: null, version: 1 });
    },
    onError: reportRunningTimer,
    onSettled: (_saved, error, _input, settle) => settle?.(error),
    meta: {
      success: STARTED_TEXT,
      failure: (error) => (hasErrorCode(error, 'TIMER_RUNNING') ? undefined : `${FAILURE_TEXT}: ${getErrorMessage(error)}`),
      invalidates: [jobKeys.lists],
    },
  });
}

/** Pauses the timer. While offline, stores the pause with the time the button was pressed and sends it later. */
export function usePauseTimer(job: TimedJob) {
  const queryClient = useQueryClient();
  const { staff_id } = useMe().user;
  const entry = useActiveTimer()?.entry;
  const myEntry = useMyRunningEntry(job);
  return useMutation({
    mutationKey: TIMER_MUTATION_KEY,
    mutationFn: async (at: string): Promise<Job | null> => {
      try {
        return await sendAndSyncClock(() => api.timer.pause({ job_id: job.id }));
      } catch (error) {
        if (!staff_id || !myEntry || !(isNetworkFailure(error) || isAbortOrTimeout(error))) throw error;
        storePendingPause(staff_id, { jobId: job.id, entryId: myEntry.id, at });
        return null;
      }
    },
    onMutate: (at) => {
      const pause = (timer: JobTimer) => (myEntry ? withPause(timer, { entryId: myEntry.id, at }) : timer);
      return patchTimer(queryClient, job, pause, { status: 'paused', entry: entry && { ...entry, ended_at: at } });
    },
    onSuccess: (saved) => {
      if (!saved) return;
      cacheJobAfterItemChanges(queryClient, saved, 0);
      if (entry) cacheTimer(queryClient, saved, 'paused', { ...entry, ended_at: saved.timer.server_time, version: entry.version + 1 });
    },
    onSettled: (_saved, error, _at, settle) => settle?.(error),
    meta: {
      success: (saved: Job | null) => (saved ? 'Timer paused' : "Timer paused. The pause will be sent when you're back online."),
      failure: `${FAILURE_TEXT}: {message}`,
      invalidates: [jobKeys.lists],
    },
  });
}

/** Shows no toast for field errors and version conflicts, because the form displays them. */
export function useCorrectEndTime() {
  return useMutation({
    mutationFn: (correction: { id: string; version: number; ended_at: string }) => api.timer.correct(correction),
    meta: {
      success: 'Time corrected',
      failure: `${FAILURE_TEXT}: {message}`,
      inlineErrors: true,
      invalidates: [TIMER_QUERY_KEY, jobKeys.all],
    },
  });
}

/** The dialog shows invalid fields and time that overlaps. */
export function useAddTime() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (time: Parameters<typeof api.timer.add>[0]) => sendAndSyncClock(() => api.timer.add(time)),
    onSuccess: (job) => cacheJobAfterItemChanges(queryClient, job, 0),
    meta: {
      success: 'Time added',
      failure: 'Failed to add time: {message}',
      inlineErrors: true,
      invalidates: [TIMER_QUERY_KEY, jobKeys.all],
    },
  });
}

/** The dialog shows invalid fields, time that overlaps and version conflicts. */
export function useChangeTime() {
  return useMutation({
    mutationFn: (time: Parameters<typeof api.timer.change>[0]) => api.timer.change(time),
    meta: {
      success: 'Time changed',
      failure: 'Failed to change time: {message}',
      inlineErrors: true,
      invalidates: [TIMER_QUERY_KEY, jobKeys.all],
    },
  });
}

export function useRemoveTime() {
  return useMutation({
    mutationFn: (id: string) => ignoreNotFound(api.timer.remove({ id })),
    meta: {
      success: 'Time deleted',
      failure: (error) => `Failed to delete time: ${getFieldErrors(error)['started_at'] ?? getErrorMessage(error)}`,
      invalidates: [TIMER_QUERY_KEY, jobKeys.all],
    },
  });
}

export function useAllocateTime() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (allocation: Parameters<typeof api.timer.allocate>[0]) => {
      await sendPendingPause(queryClient);
      return sendAndSyncClock(() => api.timer.allocate(allocation));
    },
    onSuccess: (job) => cacheJobAfterItemChanges(queryClient, job, 0),
    meta: {
      success: 'Time cost allocated successfully',
      // A known id with another item means that an earlier attempt was saved, but its response was lost.
      failure: (error) =>
        hasErrorCode(error, 'ID_TAKEN') ? ALREADY_ALLOCATED_MESSAGE : `Failed to allocate time cost: ${getErrorMessage(error)}`,
      invalidates: [jobKeys.all, TIMER_QUERY_KEY],
    },
  });
}

async function sendAndSyncClock(send: () => Promise<Job>): Promise<Job> {
  const sentAt = monotonicNow();
  const job = await send();
  syncServerClock(job.timer.server_time, sentAt);
  return job;
}

function reportRunningTimer(error: unknown): void {
  if (!hasErrorCode(error, 'TIMER_RUNNING')) return;
  const other = error.data as { job_number?: string; title?: string } | undefined;
  const message = other?.job_number
    ? `Another timer is already running: #${other.job_number} ${other.title}. Please pause it before starting a new one.`
    : error.message;
  toast.error(message, { subject: STARTED_TEXT, timeoutMs: REFUSAL_TOAST_TIMEOUT_MS });
}

interface TimerState {
  status: ActiveTimer['timer_status'];
  entry: ActiveTimer['entry'] | undefined;
}

/** Updates the cached timers optimistically: on the job page, and in the header and card on every page. */
async function patchTimer(queryClient: QueryClient, job: TimedJob, change: (timer: JobTimer) => JobTimer, { status, entry }: TimerState) {
  const settles = await Promise.all([
    updateOptimistically<Job>(queryClient, { queryKey: jobKeys.detail(job.id) }, (cached) => ({ ...cached, timer: change(cached.timer) })),
    updateOptimistically<ActiveTimerResponse>(queryClient, { queryKey: TIMER_QUERY_KEY, exact: true }, (cached) =>
      entry ? { ...cached, timer: toActiveTimer({ ...job, timer: change(job.timer) }, status, entry) } : cached,
    ),
  ]);
  return (error: unknown) => settles.forEach((settle) => settle(error));
}

function cacheTimer(queryClient: QueryClient, job: Job, status: ActiveTimer['timer_status'], entry: ActiveTimer['entry']): void {
  const response: ActiveTimerResponse = { timer: toActiveTimer(job, status, entry), server_time: job.timer.server_time };
  queryClient.setQueryData(TIMER_QUERY_KEY, response);
  mirrorActiveTimer(response.timer);
}

const toActiveTimer = (
  { id, job_number, title, job_type, currency, duration, timer }: TimedJob,
  timer_status: ActiveTimer['timer_status'],
  entry: ActiveTimer['entry'],
): ActiveTimer => ({ ...timer, job_id: id, job_number, title, job_type, currency, duration, timer_status, entry });
