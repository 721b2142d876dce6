import type { Job } from '@callout/contract/jobs';
import type { JobStatus } from '@callout/domain/jobs/job';
import { formatElapsedTime } from '@callout/domain/timer/elapsed-time';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { getErrorMessage, hasErrorCode } from '../../lib/error-messages.ts';
import { toast } from '../../ui/toast.ts';
import { getJobStatusPill } from './job-list-filter.ts';
import { cacheJob, jobKeys } from './jobs.api.ts';

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

/** Undoes Complete Job or Cancel job: restores the previous status but doesn't restart a stopped timer. */
function useReopenJob() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ before: { id, status }, from }: { before: Job; from: JobStatus }) =>
      api.jobs.setStatus({ id, status, from, is_undo: true }),
    onSuccess: ({ clashes, ...job }, { before: { timer } }) => {
      cacheJob(queryClient, job);
      const notes = [
        timer.timer_status === 'started' && 'Its timer is still stopped',
        clashes.length > 0 && 'It overlaps with another booking',
      ];
      toast.success([`Job moved to ${getStatusLabel(job.status)}`, ...notes].filter(Boolean).join('. '));
    },
    onError: (error) => {
      const current = findNewerJob(error);
      if (current) cacheJob(queryClient, current);
    },
    meta: { failure: (error) => `Failed to update job status: ${formatStatusError(error)}`, invalidates: [jobKeys.all, ['timer']] },
  });
}

export function useCompleteJob() {
  const queryClient = useQueryClient();
  const reopen = useReopenJob();
  return useMutation({
    mutationFn: ({ id, status }: Job) => api.jobs.setStatus({ id, status: 'complete', from: status }),
    onSuccess: (job, before) => {
      cacheJob(queryClient, job);
      const { job_type: type, timer } = job;
      const unbilled = type === 'hourly' ? timer.finished_seconds - timer.allocated_seconds : 0;
      if (unbilled > 0) toast.blank(`${formatElapsedTime(unbilled)} not billed yet.`);
      // If earlier payments cover the total, completing the job marks it as paid. Only reversing a payment undoes that, so offer no Undo.
      const undo = job.status === 'complete' ? { action: { label: 'Undo', run: () => reopen.mutate({ before, from: 'complete' }) } } : {};
      toast.success('Job marked as complete', { id: getStatusToastId(job.id), ...undo });
    },
    onError: (error) => {
      const current = findNewerJob(error);
      if (current) cacheJob(queryClient, current);
    },
    meta: {
      failure: (error) => (findNewerJob(error) ? formatStatusError(error) : `Failed to complete job: ${formatStatusError(error)}`),
      invalidates: [jobKeys.all, ['timer']],
    },
  });
}

/** Cancels a job that has no open invoice. Can be undone. A refusal because of an open invoice is left to the caller. */
export function useCancelJob() {
  const queryClient = useQueryClient();
  const reopen = useReopenJob();
  return useMutation({
    mutationFn: ({ id, status }: Job) => api.jobs.setStatus({ id, status: 'canceled', from: status }),
    onSuccess: (job, before) => {
      cacheJob(queryClient, job);
      const undo = { label: 'Undo', run: () => reopen.mutate({ before, from: 'canceled' }) };
      toast.success('Job canceled', { id: getStatusToastId(job.id), action: undo });
    },
    onError: (error) => {
      const current = findNewerJob(error);
      if (current) cacheJob(queryClient, current);
    },
    meta: {
      failure: (error) => (hasErrorCode(error, 'JOB_BILLED') ? undefined : `Failed to cancel job: ${formatStatusError(error)}`),
      invalidates: [jobKeys.all, ['timer']],
    },
  });
}
