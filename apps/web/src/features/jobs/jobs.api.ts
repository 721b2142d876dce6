import type { Job } from '@callout/contract/jobs';
import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { useOverlays } from '../../lib/commands/overlays.ts';
import { defineRecordQueries, pagedQueryOptions } from '../../lib/record-queries.ts';

const jobs = defineRecordQueries({
  key: ['jobs'],
  calls: api.jobs,
  toRow: ({ title, status, booking_date, customer, staff, categories }) => ({ title, status, booking_date, customer, staff, categories }),
});

export const jobKeys = { ...jobs.keys, history: (id: string) => ['jobs', 'history', id] };

/** Screens show failed reads inline with a Retry button instead of a toast. */
const QUERY_META = { inlineErrors: true };

export const jobListQueryOptions = jobs.listQueryOptions;
export const findCachedJob = jobs.findCachedRow;
export const cacheJob = jobs.cacheRecord;

/** Gives all item changes on a job the same scope, so that they run one at a time, in order. */
export const getItemMutationOptions = ({ id }: Job) => ({ scope: { id: `items of ${id}` } });

/** Changes of one job are sent in order. Whatever belongs to a job waits for the job itself, which may be new. */
export const getJobLane = (id: string) => `job:${id}`;

/** The part of a job that a stored command keeps, to name it. */
export type NamedJob = Pick<Job, 'id' | 'job_number' | 'title'>;

export const toNamedJob = ({ id, job_number, title }: NamedJob): NamedJob => ({ id, job_number, title });

type JobCriteria = Parameters<typeof api.jobs.count>[0];

export function jobCountQueryOptions(criteria: JobCriteria = {}) {
  return queryOptions({
    queryKey: [...jobKeys.counts, criteria],
    queryFn: ({ signal }) => api.jobs.count(criteria, { signal }),
    placeholderData: keepPreviousData,
    meta: QUERY_META,
  });
}

/** Finds the jobs that best match a number, title or customer. */
export function jobSearchQueryOptions(search: string) {
  return queryOptions({
    queryKey: ['jobs', 'find', search],
    queryFn: ({ signal }) => api.jobs.find({ search }, { signal }),
    placeholderData: keepPreviousData,
    meta: QUERY_META,
  });
}

export const jobQueryOptions = jobs.detailQueryOptions;

/** Reads a job with its unsent changes. */
export function useJob(id: string) {
  const options = jobQueryOptions(id);
  return useQuery({ ...options, select: useOverlays<Job>(options.queryKey) });
}

/** The history contains edited and deleted comments. */
export const jobHistoryQueryOptions = (id: string) => ({
  ...pagedQueryOptions(jobKeys.history(id), (page, options) => api.comments.history({ id, ...page }, options)),
  meta: { ...QUERY_META, topics: ['comments'] },
});

export const useCreateJob = () =>
  jobs.useCreate({
    success: 'Job created successfully',
    failure: 'Failed to create job: {message}',
    invalidates: [jobKeys.lists, jobKeys.counts, ['customers']],
  });

/** Idempotent: a retry with the same `new_id` returns the same copy. */
export function useDuplicateJob() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (copy: { id: string; new_id: string }) => api.jobs.duplicate(copy),
    onSuccess: (job) => cacheJob(queryClient, job),
    meta: {
      success: 'Job duplicated successfully',
      failure: 'Failed to duplicate job: {message}',
      invalidates: [jobKeys.all, ['customers']],
    },
  });
}

/** Also invalidates invoices, because saving a job as paid records a payment. */
export const useUpdateJob = () =>
  jobs.useUpdate({
    success: 'Job updated successfully',
    failure: 'Failed to update job: {message}',
    invalidates: [jobKeys.all, ['invoices']],
  });

export const useDeleteJob = () =>
  jobs.useDelete({
    success: 'Job deleted successfully',
    failure: 'Failed to delete job: {message}',
    invalidates: [jobKeys.lists, jobKeys.counts, ['timer']],
  });

/** Evicts a deleted job. Call it after leaving the job's page, so that nothing shows or refetches the job. */
export function evictJob(queryClient: QueryClient, id: string): void {
  jobs.evictRecord(queryClient, id);
  queryClient.removeQueries({ queryKey: jobKeys.history(id) });
}
