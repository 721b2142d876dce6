import { afterEach, expect, it, vi } from 'vitest';
import { OWNER } from '../../../test/people.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { meQuery } from '../company/company.api.ts';
import { addComment } from './comments.api.ts';

afterEach(() => vi.unstubAllGlobals());

it.each([
  ['a job', OWNER, ''],
  ['a user', undefined, 'job-1'],
])('a comment without %s is not sent', async (_, me, job_id) => {
  const fetch = vi.fn();
  vi.stubGlobal('fetch', fetch);
  const queryClient = createQueryClient();
  if (me) queryClient.setQueryData(meQuery.queryKey, me);
  const adding = addComment(queryClient, { id: 'comment-1', job_id, content: 'Hello', file_ids: [] });
  await expect(adding).rejects.toThrow('No authenticated user or job ID');
  expect(fetch).not.toHaveBeenCalled();
});
