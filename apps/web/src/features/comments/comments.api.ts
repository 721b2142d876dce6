import type { JobComment, NewJobComment } from '@callout/contract/comments';
import { MutationObserver, type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { CallError } from '../../lib/error-messages.ts';
import { meQueryOptions } from '../company/company.api.ts';

export function commentsQueryOptions(jobId: string) {
  return queryOptions({
    // 'comments' is the live-update topic, so a new comment refetches every query that has 'comments' as its first key.
    queryKey: ['comments', 'job', jobId],
    queryFn: async ({ signal }) => (await api.comments.list({ job_id: jobId }, { signal })).rows,
    meta: { inlineErrors: true },
  });
}

/** Reads the comments from the server, bypassing the cache. Unlike a refetch by the query, fails immediately while offline. */
export async function refetchComments(queryClient: QueryClient, jobId: string): Promise<readonly JobComment[]> {
  const { queryKey } = commentsQueryOptions(jobId);
  await queryClient.cancelQueries({ queryKey });
  const { rows } = await api.comments.list({ job_id: jobId });
  queryClient.setQueryData(queryKey, rows);
  return rows;
}

const MISSING_USER_OR_JOB_MESSAGE = 'No authenticated user or job ID';

/** Adds a comment, even if the user leaves the page. Idempotent: a retry after a lost response doesn't add the comment twice. */
export async function addComment(queryClient: QueryClient, comment: NewJobComment): Promise<void> {
  const { queryKey } = commentsQueryOptions(comment.job_id);
  const mutation = new MutationObserver(queryClient, {
    mutationFn: async () => {
      const isSignedIn = queryClient.getQueryData(meQueryOptions.queryKey)?.user !== undefined;
      if (!isSignedIn || comment.job_id === '') throw new CallError('INVALID_INPUT', { status: 400, message: MISSING_USER_OR_JOB_MESSAGE });
      return api.comments.add(comment);
    },
    onSuccess: async (added: JobComment) => {
      // A response to an earlier read may lack the new comment and remove it from the cache, so cancel pending reads.
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData(queryKey, (rows) => rows && [...rows.filter(({ id }) => id !== added.id), added]);
    },
    meta: { failure: 'Failed to add comment: {message}', invalidates: [queryKey] },
  });
  await mutation.mutate();
}
