import { calls, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';
import { listEvents } from '../history/history.sql.ts';
import { addComment } from './add-comment.ts';
import { listComments, requireJob } from './comments.sql.ts';

export const commentsHandlers = {
  list: calls.comments.list.handler(
    tenantQuery(async (scope, { input: { job_id } }) => {
      await requireJob(scope, job_id);
      return { rows: await listComments(scope, job_id) };
    }),
  ),

  add: calls.comments.add.handler(tenantMutation((scope, { input }) => addComment(scope, input))),

  history: calls.comments.history.handler(
    tenantQuery(async (scope, { input: { id, cursor } }) => {
      await requireJob(scope, id);
      return listEvents(scope, { kind: 'job', id }, cursor);
    }),
  ),
};
