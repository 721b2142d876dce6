import type { JobGroup } from '@callout/contract/jobs';
import { memberOf } from '../../platform/db/actor.ts';
import { countRecords, listRecords } from '../../platform/db/keyset-list.ts';
import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { requireCapability } from '../../platform/errors/failures.ts';
import { calls, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';
import { findJobs } from './find-jobs.ts';
import { addLine, removeLine, setQuantity } from './job-lines.ts';
import { jobList, jobRecord } from './jobs.sql.ts';
import { createJob, removeJob, updateJob } from './save-job.ts';

export const jobsHandlers = {
  list: calls.jobs.list.handler(
    tenantQuery((scope, { input }) => {
      requireToAskFor(scope, input.group);
      return listRecords(scope, jobList, input);
    }),
  ),

  count: calls.jobs.count.handler(
    tenantQuery(async (scope, { input }) => {
      requireToAskFor(scope, input.group);
      return { total: await countRecords(scope, jobList, input) };
    }),
  ),

  find: calls.jobs.find.handler(tenantQuery(async (scope, { input }) => ({ rows: await findJobs(scope, input.search) }))),

  get: calls.jobs.get.handler(tenantQuery((scope, { input }) => readRecord(scope, jobRecord, input.id))),

  create: calls.jobs.create.handler(tenantMutation((scope, { input }) => createJob(scope, input))),

  update: calls.jobs.update.handler(tenantMutation((scope, { input }) => updateJob(scope, input))),

  remove: calls.jobs.remove.handler(tenantMutation((scope, { input }) => removeJob(scope, input.id))),

  addItem: calls.jobs.addItem.handler(tenantMutation((scope, { input }) => addLine(scope, input))),

  setQuantity: calls.jobs.setQuantity.handler(tenantMutation((scope, { input: { id, quantity } }) => setQuantity(scope, id, quantity))),

  removeItem: calls.jobs.removeItem.handler(tenantMutation((scope, { input }) => removeLine(scope, input.id))),
};

/** Which jobs have no invoice tells which of them were billed. */
function requireToAskFor({ actor }: TenantScope, group: JobGroup | undefined): void {
  if (group === 'uninvoiced') requireCapability(memberOf(actor).role, 'payments.manage');
}
