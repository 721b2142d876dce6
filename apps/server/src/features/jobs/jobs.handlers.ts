import type { WithClashes } from '@callout/contract/clash';
import type { Job, JobGroup } from '@callout/contract/jobs';
import { getMember } from '../../platform/db/actor.ts';
import { countRecords, listRecords } from '../../platform/db/keyset-list.ts';
import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { requireCapability } from '../../platform/errors/failures.ts';
import { calls, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';
import { addLinesToJob } from './add-job-lines.ts';
import { duplicateJob } from './duplicate-job.ts';
import { changeItemQuantity, removeItemFromJob, setItemQuantity, updateItem } from './job-lines.ts';
import { listMyJobViews } from './job-views.sql.ts';
import { jobList, jobRecordType } from './jobs.sql.ts';
import { listJobLine } from './list-job-line.ts';
import { createJob, type JobStatusChange, removeJob, updateJob } from './save-job.ts';
import { createJobView, removeJobView, updateJobView } from './save-job-view.ts';
import { searchJobs } from './search-jobs.sql.ts';

export const jobsHandlers = {
  list: calls.jobs.list.handler(
    tenantQuery((scope, { input }) => {
      requireGroupAccess(scope, input.group);
      return listRecords(scope, jobList, input);
    }),
  ),

  count: calls.jobs.count.handler(
    tenantQuery(async (scope, { input }) => {
      requireGroupAccess(scope, input.group);
      return { total: await countRecords(scope, jobList, input) };
    }),
  ),

  find: calls.jobs.find.handler(tenantQuery(async (scope, { input }) => ({ rows: await searchJobs(scope, input.search) }))),

  get: calls.jobs.get.handler(tenantQuery((scope, { input }) => readRecord(scope, jobRecordType, input.id))),

  create: calls.jobs.create.handler(tenantMutation((scope, { input }) => createJob(scope, input))),

  duplicate: calls.jobs.duplicate.handler(tenantMutation((scope, { input }) => duplicateJob(scope, input))),

  update: calls.jobs.update.handler(tenantMutation((scope, { input }) => updateJob(scope, input))),

  remove: calls.jobs.remove.handler(tenantMutation((scope, { input }) => removeJob(scope, input.id))),

  addItems: calls.jobs.addItems.handler(tenantMutation((scope, { input }) => addLinesToJob(scope, input))),

  updateItem: calls.jobs.updateItem.handler(tenantMutation((scope, { input }) => updateItem(scope, input))),

  setQuantity: calls.jobs.setQuantity.handler(tenantMutation((scope, { input }) => setItemQuantity(scope, input.id, input.quantity))),

  changeQuantity: calls.jobs.changeQuantity.handler(tenantMutation((scope, { input }) => changeItemQuantity(scope, input))),

  listItem: calls.jobs.listItem.handler(tenantMutation((scope, { input }) => listJobLine(scope, input))),

  removeItem: calls.jobs.removeItem.handler(tenantMutation((scope, { input }) => removeItemFromJob(scope, input.id))),
};

/** Takes the command from the calendar (`change-status.ts`), because reopening a job can cause a clash with another booking. */
export const createJobStatusHandlers = (changeStatus: (scope: TenantScope, change: JobStatusChange) => Promise<Job & WithClashes>) => ({
  setStatus: calls.jobs.setStatus.handler(tenantMutation((scope, { input }) => changeStatus(scope, input))),
});

export const jobViewsHandlers = {
  list: calls.jobViews.list.handler(tenantQuery(async (scope) => ({ rows: await listMyJobViews(scope) }))),

  create: calls.jobViews.create.handler(
    tenantMutation((scope, { input }) => {
      requireGroupAccess(scope, input.filter.group);
      return createJobView(scope, input);
    }),
  ),

  update: calls.jobViews.update.handler(
    tenantMutation((scope, { input }) => {
      requireGroupAccess(scope, input.filter?.group);
      return updateJobView(scope, input);
    }),
  ),

  remove: calls.jobViews.remove.handler(tenantMutation((scope, { input }) => removeJobView(scope, input.id))),
};

/** Throws if someone without access to payments lists uninvoiced jobs, because the list reveals billing data. */
function requireGroupAccess({ actor }: TenantScope, group: JobGroup | undefined): void {
  if (group === 'uninvoiced') requireCapability(getMember(actor).role, 'payments.manage');
}
