import type { Job, JobTimer } from '@callout/contract/jobs';
import type { ActiveTimer } from '@callout/contract/timer';
import { isActiveStatus, type JobStatus } from '@callout/domain/jobs/job';
import { calculateElapsedSeconds, formatElapsedTime } from '@callout/domain/timer/elapsed-time';
import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { defineCommand, overlay } from '../../lib/commands/define-command.ts';
import { useCommand } from '../../lib/commands/use-command.ts';
import { getErrorMessage, hasErrorCode, reportFailure } from '../../lib/error-messages.ts';
import { changeRow } from '../../lib/query-cache.ts';
import { applyUpdate } from '../../lib/record-queries.ts';
import { toast } from '../../ui/toast.ts';
import { getJobStatusPill } from './job-list-filter.ts';
import { cacheJob, describeJob, getJobHref, getJobLane, jobKeys, type NamedJob, toNamedJob } from './jobs.api.ts';

/** Returns the job's current version if the request failed because the job has changed since it was loaded. */
const findNewerJob = (error: unknown) => (hasErrorCode(error, 'STALE_VERSION') ? (error.data as { current: Job }).current : undefined);

const getStatusLabel = (status: Job['status']) => getJobStatusPill(status).text;

function formatStatusError(error: unknown): string {
  const current = findNewerJob(error);
  return current ? `Someone else has changed this job. It is ${getStatusLabel(current.status).toLowerCase()} now.` : getErrorMessage(error);
}

/** For people who may not manage payments. For everyone else, a dialog offers to cancel the invoice. */
export const BILLED_JOB_MESSAGE = 'This job has an open invoice. Ask an admin, manager or accountant to cancel it first.';

/** The same id for every status change of a job, so that a later one replaces the toast with the Undo button. */
export const getStatusToastId = (jobId: string) => `job status ${jobId}`;

/** The timer feature's key. Jobs can't import it. */
const TIMER_KEY = ['timer'];

export interface StatusChange {
  readonly job: NamedJob;
  readonly status: JobStatus;
  /** The status that the person saw. */
  readonly from: JobStatus;
  readonly isUndo?: true;
  /** True if the timer was running before the change that this one takes back, which stopped it. */
  readonly hasStoppedTimer?: boolean;
}

const describeStatusChange = (status: JobStatus, job: string) => {
  if (status === 'complete') return `Complete ${job}`;
  return status === 'canceled' ? `Cancel ${job}` : `Move ${job} to ${getStatusLabel(status)}`;
};

/** Returns undefined if an open invoice prevents the change, which is left to the caller. */
function formatStatusFailure(error: unknown, { status, isUndo }: StatusChange): string | undefined {
  if (hasErrorCode(error, 'JOB_BILLED')) return undefined;
  const reason = formatStatusError(error);
  if (isUndo) return `Failed to update job status: ${reason}`;
  if (status === 'complete') return findNewerJob(error) ? reason : `Failed to complete job: ${reason}`;
  return `Failed to cancel job: ${reason}`;
}

/** Returns the job with a new status. Finishing a job stops its timers. */
export function withStatus(job: Job, status: JobStatus, at: string): Job {
  return { ...job, status, timer: isActiveStatus(status) ? job.timer : stopTimers(job.timer, at) };
}

function stopTimers(timer: JobTimer, at: string): JobTimer {
  const stopped = timer.running.map(({ started_at }) => ({ started_at, ended_at: at }));
  if (stopped.length === 0) return timer;
  const finished_seconds = timer.finished_seconds + calculateElapsedSeconds(stopped, at);
  return { ...timer, timer_status: 'paused', finished_seconds, running: [] };
}

/** Returns the person's timer as it is once the job is finished. */
function withFinishedJob(timer: ActiveTimer | null, jobId: string, at: string): ActiveTimer | null {
  if (timer?.job_id !== jobId || timer.entry.ended_at !== null) return timer;
  return { ...timer, ...stopTimers(timer, at), timer_status: 'paused', entry: { ...timer.entry, ended_at: at } };
}

/** Shows no toasts, because each screen has its own. The board adds its overlay. */
export const setJobStatus = defineCommand<'jobs.setStatus', StatusChange>({
  call: 'jobs.setStatus',
  toInput: ({ job, status, from, isUndo }) => ({ id: job.id, status, from, ...(isUndo && { is_undo: true }) }),
  lane: ({ job }) => getJobLane(job.id),
  describe: ({ job, status }) => describeStatusChange(status, describeJob(job)),
  href: ({ job }) => getJobHref(job),
  overlays: ({ job: { id }, status }, { madeAt }) => [
    overlay<Job>(jobKeys.detail(id), (shown) => (shown.status === status ? shown : applyUpdate(withStatus(shown, status, madeAt), {}))),
    overlay<InfiniteData<{ rows: { id: string }[] }>>(jobKeys.lists, (list) => changeRow(list, id, (row) => ({ ...row, status }))),
    ...(isActiveStatus(status)
      ? []
      : [overlay<{ timer: ActiveTimer | null }>(TIMER_KEY, (shown) => ({ ...shown, timer: withFinishedJob(shown.timer, id, madeAt) }))]),
  ],
  cacheAnswer: (queryClient, { clashes: _, ...job }) => cacheJob(queryClient, job),
  invalidates: [jobKeys.all, TIMER_KEY],
  isChained: true,
  // Payments can set a status other than the requested one.
  endsAsShown: (job, { status }) => job.status === status,
});

/** Shows the job's current version if someone else has changed it, and says why the change was refused. */
function useReportRefusal() {
  const queryClient = useQueryClient();
  return (error: unknown, change: StatusChange) => {
    const current = findNewerJob(error);
    if (current) cacheJob(queryClient, current);
    const text = formatStatusFailure(error, change);
    if (text !== undefined) reportFailure(error, text);
  };
}

/** Changes a job's status and offers Undo, even before the change is sent. `onBilled` is called if an open invoice prevents it. */
function useSetJobStatus(message: string, onBilled?: () => void) {
  const reportRefusal = useReportRefusal();
  const reopen = useReopenJob();
  const reportChange = ({ job, from, status, hasStoppedTimer = false }: StatusChange) => {
    const undo = () => reopen.mutate({ job, status: from, from: status, isUndo: true, hasStoppedTimer });
    toast.success(message, { id: getStatusToastId(job.id), action: { label: 'Undo', run: undo } });
  };
  return useCommand(setJobStatus, {
    onUnsent: reportChange,
    onAnswer: (job, change) => {
      const { job_type: type, timer } = job;
      const unbilled = job.status !== 'canceled' && type === 'hourly' ? timer.finished_seconds - timer.allocated_seconds : 0;
      if (unbilled > 0) toast.blank(`${formatElapsedTime(unbilled)} not billed yet.`);
      // If earlier payments cover the total, completing the job marks it as paid. Only reversing a payment undoes that, so offer no Undo.
      if (job.status === change.status) reportChange(change);
      else toast.success(message, { id: getStatusToastId(job.id) });
    },
    onRefused: (error, change) => {
      reportRefusal(error, change);
      if (hasErrorCode(error, 'JOB_BILLED')) onBilled?.();
    },
  });
}

/** Undoes Complete Job or Cancel job: restores the previous status but doesn't restart a stopped timer. */
function useReopenJob() {
  return useCommand(setJobStatus, {
    onAnswer: ({ clashes, status }, { hasStoppedTimer }) => {
      const notes = [hasStoppedTimer && 'Its timer is still stopped', clashes.length > 0 && 'It overlaps with another booking'];
      toast.success([`Job moved to ${getStatusLabel(status)}`, ...notes].filter(Boolean).join('. '));
    },
    onRefused: useReportRefusal(),
  });
}

const toStatusChange = (job: Job, status: JobStatus): StatusChange => ({
  job: toNamedJob(job),
  status,
  from: job.status,
  hasStoppedTimer: job.timer.timer_status === 'started',
});

export function useCompleteJob() {
  const { mutate, isPending } = useSetJobStatus('Job marked as complete');
  return { complete: (job: Job) => mutate(toStatusChange(job, 'complete')), isPending };
}

/** Cancels a job, which can be undone. `onBilled` is called if the job has an open invoice. */
export function useCancelJob(onBilled: () => void) {
  const { mutate, isPending } = useSetJobStatus('Job canceled', onBilled);
  return { cancel: (job: Job) => mutate(toStatusChange(job, 'canceled')), isPending };
}
