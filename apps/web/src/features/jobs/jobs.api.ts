import type { Job, NewJob } from '@callout/contract/jobs';
import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { defineCommand } from '../../lib/commands/define-command.ts';
import { defineRecordQueries, pagedQueryOptions, type RecordCreation } from '../../lib/record-queries.ts';
import { getCustomerLane } from '../customers/customers.api.ts';

export const jobQueries = defineRecordQueries({
  key: ['jobs'],
  calls: api.jobs,
  toRow: ({ id, job_number, title, status, booking_date, customer, staff, categories, timer, created_at }) => {
    const { timer_status } = timer;
    return { id, job_number, title, status, booking_date, customer, staff, categories, timer_status, created_at };
  },
});

export const jobKeys = { ...jobQueries.keys, history: (id: string) => ['jobs', 'history', id] };

/** Screens show failed reads inline with a Retry button instead of a toast. */
const QUERY_META = { inlineErrors: true };

export const jobListQueryOptions = jobQueries.listQueryOptions;
export const useJobs = jobQueries.useList;
export const useJob = jobQueries.useRecord;
export const useUnsentJob = jobQueries.useUnsentCreation;
export const findCachedJob = jobQueries.findCachedRow;
export const cacheJob = jobQueries.cacheRecord;

/** Changes of one job are sent in order. Whatever belongs to a job waits for the job itself, which may be new. */
export const getJobLane = (id: string) => `job:${id}`;

/** The part of a job that a stored command keeps, to name it. */
export type NamedJob = Pick<Job, 'id' | 'job_number' | 'title'>;

export const toNamedJob = ({ id, job_number, title }: NamedJob): NamedJob => ({ id, job_number, title });

/** In place of the number, which only the server can assign. */
export const NEW_JOB_NUMBER = 'New';

export const formatJobNumber = (number: string) => (number === NEW_JOB_NUMBER ? number : `#${number}`);

/** Names a job in the description of a change: '#J26010042 Roof repair' or 'new job Roof repair'. */
export const describeJob = ({ job_number, title }: Omit<NamedJob, 'id'>) =>
  job_number === NEW_JOB_NUMBER ? `new job ${title}` : `#${job_number} ${title}`;

export const getJobHref = ({ id }: Pick<Job, 'id'>) => `/jobs/${id}`;

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

export const jobQueryOptions = jobQueries.detailQueryOptions;

/** The history contains edited and deleted comments. */
export const jobHistoryQueryOptions = (id: string) => ({
  ...pagedQueryOptions(jobKeys.history(id), (page, options) => api.comments.history({ id, ...page }, options)),
  meta: { ...QUERY_META, topics: ['comments'] },
});

/** Here, because a new job's page needs it before the job is sent. */
export const createJob = defineCommand<'jobs.create', RecordCreation<NewJob, Job>>({
  ...jobQueries.creation,
  call: 'jobs.create',
  lane: ({ record }) => getJobLane(record.id),
  after: ({ input }) => [getCustomerLane(input.customer_id)],
  describe: ({ record }) => `Create ${describeJob(record)}`,
  href: ({ record }) => getJobHref(record),
  invalidates: [jobKeys.lists, jobKeys.counts, ['customers'], ['comments']],
  success: 'Job created successfully',
  failure: 'Failed to create job: {message}',
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

export const useDeleteJob = () =>
  jobQueries.useDelete({
    success: 'Job deleted successfully',
    failure: 'Failed to delete job: {message}',
    invalidates: [jobKeys.lists, jobKeys.counts, ['timer']],
  });

/** Evicts a deleted job. Call it after leaving the job's page, so that nothing shows or refetches the job. */
export function evictJob(queryClient: QueryClient, id: string): void {
  jobQueries.evictRecord(queryClient, id);
  queryClient.removeQueries({ queryKey: jobKeys.history(id) });
}
