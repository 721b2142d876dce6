import type { Job } from '@callout/contract/jobs';
import { elapsedText } from '@callout/domain/timer/elapsed-time';
import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { hasCode, messageOf } from '../../lib/error-messages.ts';
import { defineRecordQueries, pagedOptions } from '../../lib/record-queries.ts';
import { toast } from '../../ui/toast.ts';
import { statusPill } from './job-filter.ts';

const jobs = defineRecordQueries({
  key: ['jobs'],
  calls: api.jobs,
  rowOf: ({ title, status, booking_date, customer, staff, categories }) => ({ title, status, booking_date, customer, staff, categories }),
});

export const jobKeys = { ...jobs.keys, history: (id: string) => ['jobs', 'history', id] };

/** How the keys of changes begin that a job's page shows before the server has them. */
export const JOB_CHANGES = ['job changes'];

/** The screens show a failed read in place, with Retry. */
const meta = { inlineErrors: true };

export const jobsListOptions = jobs.listOptions;
export const knownJob = jobs.known;
/** Shows a job as the server answered it, in its page and in every list. */
export const showJob = jobs.show;

type JobCriteria = Parameters<typeof api.jobs.count>[0];

export function jobsCountOptions(criteria: JobCriteria = {}) {
  return queryOptions({
    queryKey: [...jobKeys.counts, criteria],
    queryFn: ({ signal }) => api.jobs.count(criteria, { signal }),
    placeholderData: keepPreviousData,
    meta,
  });
}

/** The few that match best, by number, title or customer. */
export function foundJobsOptions(search: string) {
  return queryOptions({
    queryKey: ['jobs', 'find', search],
    queryFn: ({ signal }) => api.jobs.find({ search }, { signal }),
    placeholderData: keepPreviousData,
    meta,
  });
}

export function jobOptions(id: string) {
  return queryOptions({
    ...jobs.detailOptions(id),
    queryFn: async ({ client, signal }) => {
      const job = await api.jobs.get({ id }, { signal });
      // Perhaps read before a change arrived, which would then be taken back until the server answers it.
      const shown = client.getQueryData<Job>(jobKeys.detail(id));
      return shown && client.isMutating({ mutationKey: JOB_CHANGES }) > 0 ? shown : job;
    },
  });
}

export const jobHistoryOptions = (id: string) =>
  pagedOptions(jobKeys.history(id), (page, options) => api.comments.history({ id, ...page }, options));

export const useCreateJob = () =>
  jobs.useCreate({
    success: 'Job created successfully',
    failure: 'Failed to create job: {message}',
    refreshes: [jobKeys.lists, jobKeys.counts, ['customers']],
  });

/** Saved as paid, it records a payment. */
export const useUpdateJob = () =>
  jobs.useUpdate({
    success: 'Job updated successfully',
    failure: 'Failed to update job: {message}',
    refreshes: [jobKeys.all, ['invoices']],
  });

export const useDeleteJob = () =>
  jobs.useDelete({
    success: 'Job deleted successfully',
    failure: 'Failed to delete job: {message}',
    refreshes: [jobKeys.lists, jobKeys.counts, ['timer']],
  });

/** After a deletion the page has been left: nothing may show the job again, nor ask for it. */
export function forgetJob(queryClient: QueryClient, id: string): void {
  jobs.forget(queryClient, id);
  queryClient.removeQueries({ queryKey: jobKeys.history(id) });
}

/** The job as somebody else has left it. */
const changedMeanwhile = (error: unknown) => (hasCode(error, 'STALE_VERSION') ? (error.data as { current: Job }).current : undefined);

export function useCompleteJob() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, status }: Job) => api.jobs.setStatus({ id, status: 'complete', from: status }),
    onSuccess: (job) => {
      showJob(queryClient, job);
      const { job_type: type, timer } = job;
      const unbilled = type === 'hourly' ? timer.finished_seconds - timer.allocated_seconds : 0;
      if (unbilled > 0) toast.blank(`${elapsedText(unbilled)} is not allocated yet.`);
    },
    onError: (error) => {
      const current = changedMeanwhile(error);
      if (current) showJob(queryClient, current);
    },
    meta: {
      success: 'Job marked as complete',
      failure: (error) => {
        const current = changedMeanwhile(error);
        if (!current) return `Failed to complete job: ${messageOf(error)}`;
        return `Someone else has changed this job. It is ${statusPill(current.status).text.toLowerCase()} now.`;
      },
      refreshes: [jobKeys.all, ['timer']],
    },
  });
}

interface NewLine {
  /** Made by the page: sent again after a lost answer, it is the same line. */
  id: string;
  job_id: string;
  supplier_item_id: string;
  quantity?: number;
  unit_price?: string | null;
}

export function useAddItem() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (line: NewLine) => api.jobs.addItem(line),
    onSuccess: (job) => showJob(queryClient, job),
    meta: { success: 'Item added successfully', failure: 'Failed to add item: {message}', refreshes: [jobKeys.all] },
  });
}
