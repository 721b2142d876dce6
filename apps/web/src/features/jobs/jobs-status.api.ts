import type { Job } from '@callout/contract/jobs';
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

/** Undoes Complete Job: restores the previous status but doesn't restart a stopped timer. */
function useReopenJob() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, status }: Job) => api.jobs.setStatus({ id, status, from: 'complete' }),
    onSuccess: ({ clashes, ...job }, { timer }) => {
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
      const undo = job.status === 'complete' ? { action: { label: 'Undo', run: () => reopen.mutate(before) } } : {};
      toast.success('Job marked as complete', undo);
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
