import {
  type JobView,
  jobViewLimitError,
  jobViewNameTakenError,
  MAX_JOB_VIEWS,
  type NewJobView,
  type UpdateJobViewInput,
} from '@callout/contract/job-views';
import { isBuiltInViewName } from '@callout/domain/jobs/job-view';
import { getMember, getPerson } from '../../platform/db/actor.ts';
import { createRecordOnce, deleteRecord, readRecord, updateRecordAtVersion } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { toFailure } from '../../platform/errors/failures.ts';
import { publishToPeople } from '../../platform/live/live.ts';
import { jobViewRecordType, lockCallerAndCountJobViews, requireFilteredRecords } from './job-views.sql.ts';

export async function createJobView(scope: TenantScope, { id, name, filter }: NewJobView): Promise<JobView> {
  requireFreeName(name);
  const isFull = (await lockCallerAndCountJobViews(scope)) >= MAX_JOB_VIEWS;
  if (isFull && !(await jobViewRecordType.find(scope, id))) throw toFailure(jobViewLimitError);
  await requireFilteredRecords(scope, filter);
  const { staffId: staff_id } = getMember(scope.actor);
  const view = await createRecordOnce(scope, jobViewRecordType, id, { staff_id, name, filter });
  await publishToCaller(scope);
  return view;
}

export async function updateJobView(scope: TenantScope, { id, version, name, filter }: UpdateJobViewInput): Promise<JobView> {
  await readRecord(scope, jobViewRecordType, id);
  requireFreeName(name);
  if (filter) await requireFilteredRecords(scope, filter);
  const view = await updateRecordAtVersion(scope, jobViewRecordType, { id, version }, { name, ...(filter && { filter }) });
  await publishToCaller(scope);
  return view;
}

export async function removeJobView(scope: TenantScope, id: string) {
  await readRecord(scope, jobViewRecordType, id);
  await deleteRecord(scope, jobViewRecordType, id);
  await publishToCaller(scope);
  return {};
}

function requireFreeName(name: string): void {
  if (isBuiltInViewName(name)) throw toFailure(jobViewNameTakenError);
}

/** Refreshes the person's own tabs and devices. */
const publishToCaller = (scope: TenantScope) => publishToPeople(scope, [getPerson(scope.actor).userId], 'job-views');
