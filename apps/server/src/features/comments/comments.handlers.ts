import { hasCapability } from '@callout/domain/roles/roles';
import { readRecord } from '../../platform/db/records.ts';
import { calls, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';
import { customerRecordType } from '../customers/customers.sql.ts';
import { listEvents } from '../history/history.sql.ts';
import { addComment } from './add-comment.ts';
import { removeComment, updateComment } from './change-comment.ts';
import { listComments, listCustomerAttachments, requireJob } from './comments.sql.ts';

/** History entries that are hidden from people who can't manage payments. */
const PAYMENT_ACTIONS = [
  'invoiced',
  'credited',
  'payment_recorded',
  'payment_reversed',
  'invoice-mailed',
  'invoice-handed-over',
  'hand-over-undone',
  'reminded',
  'mail-failed',
];

export const commentsHandlers = {
  list: calls.comments.list.handler(
    tenantQuery(async (scope, { input: { job_id } }) => {
      await requireJob(scope, job_id);
      return { rows: await listComments(scope, job_id) };
    }),
  ),

  add: calls.comments.add.handler(tenantMutation((scope, { input }) => addComment(scope, input))),

  update: calls.comments.update.handler(tenantMutation((scope, { input }) => updateComment(scope, input))),

  remove: calls.comments.remove.handler(tenantMutation((scope, { input }) => removeComment(scope, input.id))),

  ofCustomer: calls.comments.ofCustomer.handler(
    tenantQuery(async (scope, { input: { id, cursor } }) => {
      await readRecord(scope, customerRecordType, id);
      return listCustomerAttachments(scope, id, cursor);
    }),
  ),

  history: calls.comments.history.handler(
    tenantQuery(async (scope, { input: { id, cursor } }) => {
      await requireJob(scope, id);
      const role = scope.actor.kind === 'person' ? scope.actor.member?.role : null;
      return listEvents(scope, { kind: 'job', id }, cursor, hasCapability(role, 'payments.manage') ? [] : PAYMENT_ACTIONS);
    }),
  ),
};
