import type { Job, JobTimer } from '@callout/contract/jobs';
import type { ActiveTimer } from '@callout/contract/timer';
import { calculateElapsedSeconds } from '@callout/domain/timer/elapsed-time';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { defineCommand, overlay } from '../../lib/commands/define-command.ts';
import { useCommand } from '../../lib/commands/use-command.ts';
import { createId } from '../../lib/create-id.ts';
import { getErrorMessage, getFieldErrors, hasErrorCode } from '../../lib/error-messages.ts';
import { toast } from '../../ui/toast.ts';
import { useMe } from '../company/company.api.ts';
import { cacheJob, describeJob, getJobLane, jobKeys } from '../jobs/jobs.api.ts';
import { getServerInstant } from './server-clock.ts';
import { type ActiveTimerResponse, TIMER_QUERY_KEY, useActiveTimer } from './timer.api.ts';
import { useTimerStore } from './timer-store.ts';

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

export function useMyRunningEntry({ timer }: TimedJob): JobTimer['running'][number] | undefined {
  const { staff_id } = useMe().user;
  return timer.running.find((entry) => entry.staff_id === staff_id);
}

const REFUSAL_TOAST_TIMEOUT_MS = 5_000;
const FAILURE_TEXT = 'Failed to update timer';
const ALREADY_ALLOCATED_MESSAGE = 'The time was already allocated, to the item you chose first. You can change it in the list of items.';

/** A person has one timer, so its changes are sent in order, even if they are about different jobs. */
export const TIMER_LANE = 'timer';

type MyEntry = JobTimer['running'][number];

interface TimerStart {
  job: TimedJob;
  entry: MyEntry;
  pauseOthers: boolean;
}

export const startTimer = defineCommand<'timer.start', TimerStart>({
  call: 'timer.start',
  toInput: ({ job, entry, pauseOthers }) => ({ id: entry.id, job_id: job.id, pause_others: pauseOthers }),
  lane: () => TIMER_LANE,
  after: ({ job }) => [getJobLane(job.id)],
  describe: ({ job }) => `Start timer on ${describeJob(job)}`,
  href: ({ job }) => `/jobs/${job.id}`,
  overlays: ({ job, entry }) => {
    const start = (timer: JobTimer): JobTimer =>
      timer.running.some(({ id }) => id === entry.id)
        ? timer
        : { ...timer, timer_status: 'started', running: [...timer.running.filter((other) => other.staff_id !== entry.staff_id), entry] };
    const { id, started_at } = entry;
    return overlayTimer(job, start, (shown) =>
      shown?.entry.id === id
        ? shown
        : toActiveTimer({ ...job, timer: start(job.timer) }, 'started', { id, started_at, ended_at: null, version: 1 }),
    );
  },
  cacheAnswer: cacheJob,
  invalidates: [TIMER_QUERY_KEY, jobKeys.lists],
  success: 'Timer started',
  failure: (error) => (hasErrorCode(error, 'TIMER_RUNNING') ? undefined : `${FAILURE_TEXT}: ${getErrorMessage(error)}`),
});

interface TimerPause {
  job: TimedJob;
  entryId: string;
  /** When the button was pressed, by the server's clock as far as the page knows it. */
  at: string;
}

export const pauseTimer = defineCommand<'timer.pause', TimerPause>({
  call: 'timer.pause',
  toInput: ({ job }) => ({ job_id: job.id }),
  lane: () => TIMER_LANE,
  after: ({ job }) => [getJobLane(job.id)],
  describe: ({ job }) => `Pause timer on ${describeJob(job)}`,
  href: ({ job }) => `/jobs/${job.id}`,
  overlays: ({ job, entryId, at }) => {
    const pause = <Timer extends JobTimer>(timer: Timer) => withPause(timer, entryId, at);
    return overlayTimer(job, pause, (shown) =>
      shown?.entry.id === entryId && shown.entry.ended_at === null
        ? { ...pause(shown), timer_status: 'paused', entry: { ...shown.entry, ended_at: at, version: shown.entry.version + 1 } }
        : shown,
    );
  },
  cacheAnswer: cacheJob,
  invalidates: [TIMER_QUERY_KEY, jobKeys.lists],
  success: 'Timer paused',
  failure: (error) => `${FAILURE_TEXT}: ${getFieldErrors(error)['at'] ?? getErrorMessage(error)}`,
});

/** Shows a change of a timer on the job's page, and in the header and card on every page. */
function overlayTimer(
  job: TimedJob,
  changeTimer: (timer: JobTimer) => JobTimer,
  changeActive: (shown: ActiveTimer | null) => ActiveTimer | null,
) {
  return [
    overlay<Job>(jobKeys.detail(job.id), (shown) => ({ ...shown, timer: changeTimer(shown.timer) })),
    overlayActiveTimer(changeActive),
  ];
}

export const overlayActiveTimer = (change: (shown: ActiveTimer | null) => ActiveTimer | null) =>
  overlay<ActiveTimerResponse>(TIMER_QUERY_KEY, (shown) => ({ ...shown, timer: change(shown.timer) }), { exact: true });

/** Ends one running entry. Returns the timer unchanged if the entry isn't running. */
export function withPause<Timer extends JobTimer>(timer: Timer, entryId: string, at: string): Timer {
  const paused = timer.running.filter(({ id }) => id === entryId).map(({ started_at }) => ({ started_at, ended_at: at }));
  if (paused.length === 0) return timer;
  const running = timer.running.filter(({ id }) => id !== entryId);
  return { ...timer, timer_status: 'paused', finished_seconds: timer.finished_seconds + calculateElapsedSeconds(paused, at), running };
}

/**
 * If this page knows that a timer is running on another job, the server rejects the start. If that timer was started on another device and
 * the page doesn't know about it yet, the server pauses it.
 */
export function useStartTimer(job: TimedJob) {
  const queryClient = useQueryClient();
  const { user } = useMe();
  const active = useActiveTimer();
  const mirroredJobId = useTimerStore((store) => store.jobId);
  const isLoaded = queryClient.getQueryData(TIMER_QUERY_KEY) !== undefined;
  const activeJobId = active?.timer_status === 'started' ? active.job_id : null;
  const runningJobId = isLoaded ? activeJobId : mirroredJobId;
  const pauseOthers = runningJobId === null || runningJobId === job.id;
  const { mutate, isPending } = useCommand(startTimer, { onRefused: reportRunningTimer });
  const start = () => {
    const entry = { id: createId(), staff_id: user.staff_id ?? '', staff_name: user.name ?? '', started_at: getServerInstant() };
    mutate({ job, entry, pauseOthers });
  };
  return { start, isPending };
}

export function usePauseTimer(job: TimedJob) {
  const myEntry = useMyRunningEntry(job);
  const { mutate, isPending } = useCommand(pauseTimer);
  const pause = () => {
    if (myEntry) mutate({ job, entryId: myEntry.id, at: getServerInstant() });
  };
  return { pause, isPending };
}

export function useAllocateTime() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (allocation: Parameters<typeof api.timer.allocate>[0]) => api.timer.allocate(allocation),
    onSuccess: (job) => cacheJob(queryClient, job),
    meta: {
      success: 'Time cost allocated successfully',
      // A known id with another item means that an earlier attempt was saved, but its response was lost.
      failure: (error) =>
        hasErrorCode(error, 'ID_TAKEN') ? ALREADY_ALLOCATED_MESSAGE : `Failed to allocate time cost: ${getErrorMessage(error)}`,
      invalidates: [jobKeys.all, TIMER_QUERY_KEY],
    },
  });
}

function reportRunningTimer(error: unknown): void {
  if (!hasErrorCode(error, 'TIMER_RUNNING')) return;
  const other = error.data as { job_number?: string; title?: string } | undefined;
  const message = other?.job_number
    ? `Another timer is already running: #${other.job_number} ${other.title}. Please pause it before starting a new one.`
    : error.message;
  toast.error(message, { subject: 'Timer started', timeoutMs: REFUSAL_TOAST_TIMEOUT_MS });
}

const toActiveTimer = (
  { id, job_number, title, job_type, currency, duration, timer }: TimedJob,
  timer_status: ActiveTimer['timer_status'],
  entry: ActiveTimer['entry'],
): ActiveTimer => ({ ...timer, job_id: id, job_number, title, job_type, currency, duration, timer_status, entry });
