import type { JobComment, NewJobComment } from '@callout/contract/comments';
import { MutationObserver, type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { CallError } from '../../lib/error-messages.ts';
import { meQuery } from '../company/company.api.ts';

export function commentsOptions(jobId: string) {
  return queryOptions({
    // The first word is the topic that a colleague's comment is published under.
    queryKey: ['comments', 'job', jobId],
    queryFn: async ({ signal }) => (await api.comments.list({ job_id: jobId }, { signal })).rows,
    // The screen shows a failed read in place, with Retry.
    meta: { inlineErrors: true },
  });
}

/** What the server has at this moment; fails at once without a connection. */
export async function readComments(queryClient: QueryClient, jobId: string): Promise<readonly JobComment[]> {
  const { queryKey } = commentsOptions(jobId);
  await queryClient.cancelQueries({ queryKey });
  const { rows } = await api.comments.list({ job_id: jobId });
  queryClient.setQueryData(queryKey, rows);
  return rows;
}

const NOBODY_OR_NO_JOB = 'No authenticated user or job ID';

/** Outlives the page it is started on; the same comment again, after a lost answer, is the same comment. */
export async function addComment(queryClient: QueryClient, comment: NewJobComment): Promise<void> {
  const { queryKey } = commentsOptions(comment.job_id);
  const add = new MutationObserver(queryClient, {
    mutationFn: async () => {
      const isSignedIn = queryClient.getQueryData(meQuery.queryKey)?.user !== undefined;
      if (!isSignedIn || comment.job_id === '') throw new CallError('INVALID_INPUT', { status: 400, message: NOBODY_OR_NO_JOB });
      return api.comments.add(comment);
    },
    onSuccess: async (added: JobComment) => {
      // A read under way may answer without it.
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData(queryKey, (rows) => rows && [...rows.filter(({ id }) => id !== added.id), added]);
    },
    meta: { failure: 'Failed to add comment: {message}', refreshes: [queryKey] },
  });
  await add.mutate();
}
