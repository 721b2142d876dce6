import { readRecord } from '../../platform/db/records.ts';
import { calls, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';
import { customerRecord } from '../customers/customers.sql.ts';
import { listEvents } from '../history/history.sql.ts';
import { addComment } from './add-comment.ts';
import { listAttachmentsOf, listComments, requireJob } from './comments.sql.ts';

export const commentsHandlers = {
  list: calls.comments.list.handler(
    tenantQuery(async (scope, { input: { job_id } }) => {
      await requireJob(scope, job_id);
      return { rows: await listComments(scope, job_id) };
    }),
  ),

  add: calls.comments.add.handler(tenantMutation((scope, { input }) => addComment(scope, input))),

  ofCustomer: calls.comments.ofCustomer.handler(
    tenantQuery(async (scope, { input: { id, cursor } }) => {
      await readRecord(scope, customerRecord, id);
      return listAttachmentsOf(scope, id, cursor);
    }),
  ),

  history: calls.comments.history.handler(
    tenantQuery(async (scope, { input: { id, cursor } }) => {
      await requireJob(scope, id);
      return listEvents(scope, { kind: 'job', id }, cursor);
    }),
  ),
};
