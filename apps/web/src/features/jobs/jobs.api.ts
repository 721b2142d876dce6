import type { Job } from '@callout/contract/jobs';
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { defineRecordQueries, pagedOptions } from '../../lib/record-queries.ts';

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
