import type { JobComment, JobCommentChange, NewJobComment } from '@callout/contract/comments';
import { MutationObserver, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { CallError, getErrorMessage, isNetworkFailure } from '../../lib/error-messages.ts';
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
    onSuccess: (added: JobComment) =>
      patchComments(queryClient, comment.job_id, (rows) => [...rows.filter(({ id }) => id !== added.id), added]),
    meta: {
      // Without a connection, the comment isn't lost: it says in the list that it will be sent later.
      failure: (error) => (isNetworkFailure(error) ? undefined : `Failed to add comment: ${getErrorMessage(error)}`),
      invalidates: [queryKey],
    },
  });
  await mutation.mutate();
}

/** Changes the cached comments. Cancels pending reads, because their responses may lack the change. */
async function patchComments(queryClient: QueryClient, jobId: string, patch: (rows: JobComment[]) => JobComment[]): Promise<void> {
  const { queryKey } = commentsQueryOptions(jobId);
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, (rows) => rows && patch(rows));
}

/** The editor shows failures itself and keeps the typed text. */
export function useUpdateComment(jobId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: JobCommentChange) => api.comments.update(change),
    onSuccess: (saved) => patchComments(queryClient, jobId, (rows) => rows.map((row) => (row.id === saved.id ? saved : row))),
    meta: { invalidates: [['comments']] },
  });
}

export function useDeleteComment(jobId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (comment: { id: string }) => api.comments.remove(comment),
    onSuccess: (_, { id }) => patchComments(queryClient, jobId, (rows) => rows.filter((row) => row.id !== id)),
    meta: { success: 'Comment deleted', failure: 'Failed to delete comment: {message}', invalidates: [['comments']] },
  });
}
