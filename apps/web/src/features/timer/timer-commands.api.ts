import type { Job, JobTimer } from '@callout/contract/jobs';
import type { ActiveTimer } from '@callout/contract/timer';
import { type QueryClient, useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { hasCode, isAborted, isNetworkFailure, messageOf } from '../../lib/error-messages.ts';
import { newId } from '../../lib/new-id.ts';
import { updateOptimistically } from '../../lib/query-cache.ts';
import { toast } from '../../ui/toast.ts';
import { useMe } from '../company/company.api.ts';
import { jobKeys, showJob } from '../jobs/jobs.api.ts';
import { pageTime, serverInstant, syncServerClock } from './server-clock.ts';
import { TIMER_CHANGES, TIMER_KEY, type TimerAnswer, useActiveTimer } from './timer.api.ts';
import { keepPause, sendKeptPause, withPause } from './timer-pause.api.ts';
import { mirrorTimer, useTimerStore } from './timer-store.ts';

/** What a timer shows of its job. */
export type TimedJob = Pick<Job, 'id' | 'job_number' | 'title' | 'duration' | 'timer'>;

export const timedJobOf = ({ job_id, job_number, title, duration, ...timer }: ActiveTimer): TimedJob => ({
  id: job_id,
  job_number,
  title,
  duration,
  timer,
});

const STARTED = 'Timer started';
const REFUSAL_MS = 5_000;
const FAILURE = 'Failed to update timer';

/** The entry of this person that runs on a job. */
export function useOwnEntry({ timer }: TimedJob): JobTimer['running'][number] | undefined {
  const { staff_id } = useMe().user;
  return timer.running.find((entry) => entry.staff_id === staff_id);
}

/** Whether the person's timer is being started or paused. */
export const useTimerIsChanging = () => useIsMutating({ mutationKey: TIMER_CHANGES }) > 0;

/**
 * Shows the timer at once, and takes it back if it cannot be started. While this page knows of a timer on another job the server refuses;
 * one that only another device knows of is paused.
 */
export function useStartTimer(job: TimedJob) {
  const queryClient = useQueryClient();
  const { user } = useMe();
  const active = useActiveTimer();
  const mirroredId = useTimerStore((store) => store.jobId);
  const isRead = queryClient.getQueryData(TIMER_KEY) !== undefined;
  const activeId = active?.timer_status === 'started' ? active.job_id : null;
  const runningId = isRead ? activeId : mirroredId;
  const hasOther = runningId !== null && runningId !== job.id;
  /** Sent again after a lost answer, it is the same entry. */
  const [id, setId] = useState(newId);
  if (active?.entry.id === id) setId(newId());
  return useMutation({
    mutationKey: TIMER_CHANGES,
    mutationFn: async () => {
      await sendKeptPause(queryClient);
      return withServerTime(() => api.timer.start({ id, job_id: job.id, pause_others: !hasOther }));
    },
    onMutate: async () => {
      if (hasOther || !user.staff_id) return undefined;
      const started_at = serverInstant();
      const own = { id, staff_id: user.staff_id, staff_name: user.name ?? '', started_at };
      const start = (timer: JobTimer): JobTimer => ({ ...timer, timer_status: 'started', running: [...timer.running, own] });
      return showTimer(queryClient, job, start, { status: 'started', entry: { id, started_at, ended_at: null, version: 1 } });
    },
    onSuccess: (saved) => {
      setId(newId());
      showJob(queryClient, saved);
      const own = saved.timer.running.find(({ staff_id }) => staff_id === user.staff_id);
      if (own) showActive(queryClient, saved, 'started', { id: own.id, started_at: own.started_at, ended_at: null, version: 1 });
    },
    onError: reportRefusal,
    onSettled: (_saved, error, _input, settle) => settle?.(error),
    meta: {
      success: STARTED,
      failure: (error) => (hasCode(error, 'TIMER_RUNNING') ? undefined : `${FAILURE}: ${messageOf(error)}`),
      refreshes: [jobKeys.lists],
    },
  });
}

/** Without a connection it is kept and sent later, with the moment it was pressed. */
export function usePauseTimer(job: TimedJob) {
  const queryClient = useQueryClient();
  const { staff_id } = useMe().user;
  const entry = useActiveTimer()?.entry;
  const own = useOwnEntry(job);
  return useMutation({
    mutationKey: TIMER_CHANGES,
    mutationFn: async (at: string): Promise<Job | null> => {
      try {
        return await withServerTime(() => api.timer.pause({ job_id: job.id }));
      } catch (error) {
        if (!staff_id || !own || !(isNetworkFailure(error) || isAborted(error))) throw error;
        keepPause(staff_id, { jobId: job.id, entryId: own.id, at });
        return null;
      }
    },
    onMutate: (at) => {
      const pause = (timer: JobTimer) => (own ? withPause(timer, { entryId: own.id, at }) : timer);
      return showTimer(queryClient, job, pause, { status: 'paused', entry: entry && { ...entry, ended_at: at } });
    },
    onSuccess: (saved) => {
      if (!saved) return;
      showJob(queryClient, saved);
      if (entry) showActive(queryClient, saved, 'paused', { ...entry, ended_at: saved.timer.server_time, version: entry.version + 1 });
    },
    onSettled: (_saved, error, _at, settle) => settle?.(error),
    meta: {
      success: (saved: Job | null) => (saved ? 'Timer paused' : 'Timer paused. It will be sent when you are back online.'),
      failure: `${FAILURE}: {message}`,
      refreshes: [jobKeys.lists],
    },
  });
}

/** Field errors and newer versions are shown by the form. */
export function useCorrectEnd() {
  return useMutation({
    mutationFn: (correction: { id: string; version: number; ended_at: string }) => api.timer.correct(correction),
    meta: { success: 'Time corrected', failure: `${FAILURE}: {message}`, inlineErrors: true, refreshes: [TIMER_KEY, jobKeys.all] },
  });
}

export interface Allocation {
  /** Of the new line. Made by the page: sent again after a lost answer, it is the same line. */
  id: string;
  job_id: string;
  supplier_item_id: string;
  quantity: number;
}

export function useAllocateTime() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (allocation: Allocation) => {
      await sendKeptPause(queryClient);
      return withServerTime(() => api.timer.allocate(allocation));
    },
    onSuccess: (job) => showJob(queryClient, job),
    meta: {
      success: 'Time cost allocated successfully',
      failure: 'Failed to allocate time cost: {message}',
      refreshes: [jobKeys.all, TIMER_KEY],
    },
  });
}

async function withServerTime(send: () => Promise<Job>): Promise<Job> {
  const sentAt = pageTime();
  const job = await send();
  syncServerClock(job.timer.server_time, sentAt);
  return job;
}

function reportRefusal(error: unknown): void {
  if (!hasCode(error, 'TIMER_RUNNING')) return;
  const other = error.data as { job_number?: string; title?: string } | undefined;
  const text = other?.job_number
    ? `Another timer is already running: #${other.job_number} ${other.title}. Please pause it before starting a new one.`
    : error.message;
  toast.error(text, { subject: STARTED, ms: REFUSAL_MS });
}

interface ShownState {
  status: ActiveTimer['timer_status'];
  entry: ActiveTimer['entry'] | undefined;
}

/** In the job's page, and in the header and card of every page. */
async function showTimer(queryClient: QueryClient, job: TimedJob, change: (timer: JobTimer) => JobTimer, { status, entry }: ShownState) {
  const settles = await Promise.all([
    updateOptimistically<Job>(queryClient, { queryKey: jobKeys.detail(job.id) }, (shown) => ({ ...shown, timer: change(shown.timer) })),
    updateOptimistically<TimerAnswer>(queryClient, { queryKey: TIMER_KEY, exact: true }, (shown) =>
      entry ? { ...shown, timer: activeTimer({ ...job, timer: change(job.timer) }, status, entry) } : shown,
    ),
  ]);
  return (error: unknown) => settles.forEach((settle) => settle(error));
}

function showActive(queryClient: QueryClient, job: Job, status: ActiveTimer['timer_status'], entry: ActiveTimer['entry']): void {
  const answer: TimerAnswer = { timer: activeTimer(job, status, entry), server_time: job.timer.server_time };
  queryClient.setQueryData(TIMER_KEY, answer);
  mirrorTimer(answer.timer);
}

const activeTimer = (
  { id, job_number, title, duration, timer }: TimedJob,
  timer_status: ActiveTimer['timer_status'],
  entry: ActiveTimer['entry'],
): ActiveTimer => ({ ...timer, job_id: id, job_number, title, duration, timer_status, entry });
