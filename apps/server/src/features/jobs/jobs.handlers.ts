import { countRecords, listRecords } from '../../platform/db/keyset-list.ts';
import { readRecord } from '../../platform/db/records.ts';
import { calls, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';
import { findJobs } from './find-jobs.ts';
import { addLine, removeLine, setQuantity } from './job-lines.ts';
import { jobList, jobRecord } from './jobs.sql.ts';
import { changeStatus, createJob, removeJob, updateJob } from './save-job.ts';

export const jobsHandlers = {
  list: calls.jobs.list.handler(tenantQuery((scope, { input }) => listRecords(scope, jobList, input))),

  count: calls.jobs.count.handler(tenantQuery(async (scope, { input }) => ({ total: await countRecords(scope, jobList, input) }))),

  find: calls.jobs.find.handler(tenantQuery(async (scope, { input }) => ({ rows: await findJobs(scope, input.search) }))),

  get: calls.jobs.get.handler(tenantQuery((scope, { input }) => readRecord(scope, jobRecord, input.id))),

  create: calls.jobs.create.handler(tenantMutation((scope, { input }) => createJob(scope, input))),

  update: calls.jobs.update.handler(tenantMutation((scope, { input }) => updateJob(scope, input))),

  setStatus: calls.jobs.setStatus.handler(tenantMutation((scope, { input }) => changeStatus(scope, input))),

  remove: calls.jobs.remove.handler(tenantMutation((scope, { input }) => removeJob(scope, input.id))),

  addItem: calls.jobs.addItem.handler(tenantMutation((scope, { input }) => addLine(scope, input))),

  setQuantity: calls.jobs.setQuantity.handler(tenantMutation((scope, { input: { id, quantity } }) => setQuantity(scope, id, quantity))),

  removeItem: calls.jobs.removeItem.handler(tenantMutation((scope, { input }) => removeLine(scope, input.id))),
};
