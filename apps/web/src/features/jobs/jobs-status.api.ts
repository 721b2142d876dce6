import type { Job } from '@callout/contract/jobs';
import { elapsedText } from '@callout/domain/timer/elapsed-time';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { hasCode, messageOf } from '../../lib/error-messages.ts';
import { toast } from '../../ui/toast.ts';
import { statusPill } from './job-filter.ts';
import { jobKeys, showJob } from './jobs.api.ts';

/** The job as somebody else has left it. */
const changedMeanwhile = (error: unknown) => (hasCode(error, 'STALE_VERSION') ? (error.data as { current: Job }).current : undefined);

const labelOf = (status: Job['status']) => statusPill(status).text;

function whyNot(error: unknown): string {
  const current = changedMeanwhile(error);
  return current ? `Someone else has changed this job. It is ${labelOf(current.status).toLowerCase()} now.` : messageOf(error);
}

/** Takes a completed job back to the status it had, as Undo on the board does. A timer that was stopped stays so. */
function useReopenJob() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, status }: Job) => api.jobs.setStatus({ id, status, from: 'complete' }),
    onSuccess: ({ clashes, ...job }, { timer }) => {
      showJob(queryClient, job);
      const notes = [
        timer.timer_status === 'started' && 'Its timer is still stopped',
        clashes.length > 0 && 'It overlaps with another booking',
      ];
      toast.success([`Job moved to ${labelOf(job.status)}`, ...notes].filter(Boolean).join('. '));
    },
    onError: (error) => {
      const current = changedMeanwhile(error);
      if (current) showJob(queryClient, current);
    },
    meta: { failure: (error) => `Failed to update job status: ${whyNot(error)}`, refreshes: [jobKeys.all, ['timer']] },
  });
}

export function useCompleteJob() {
  const queryClient = useQueryClient();
  const reopen = useReopenJob();
  return useMutation({
    mutationFn: ({ id, status }: Job) => api.jobs.setStatus({ id, status: 'complete', from: status }),
    onSuccess: (job, before) => {
      showJob(queryClient, job);
      const { job_type: type, timer } = job;
      const unbilled = type === 'hourly' ? timer.finished_seconds - timer.allocated_seconds : 0;
      if (unbilled > 0) toast.blank(`${elapsedText(unbilled)} not allocated yet.`);
      // Payments may have made it paid, which is taken back by reversing one.
      const undo = job.status === 'complete' ? { action: { label: 'Undo', run: () => reopen.mutate(before) } } : {};
      toast.success('Job marked as complete', undo);
    },
    onError: (error) => {
      const current = changedMeanwhile(error);
      if (current) showJob(queryClient, current);
    },
    meta: {
      failure: (error) => (changedMeanwhile(error) ? whyNot(error) : `Failed to complete job: ${whyNot(error)}`),
      refreshes: [jobKeys.all, ['timer']],
    },
  });
}
