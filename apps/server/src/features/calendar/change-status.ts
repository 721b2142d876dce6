import type { WithClashes } from '@callout/contract/clash';
import type { Job } from '@callout/contract/jobs';
import type { Task } from '@callout/contract/tasks';
import { isBusyStatus } from '@callout/domain/calendar/calendar-event';
import type { TaskStatus } from '@callout/domain/tasks/task';
import { createTransactionConflict } from '../../platform/db/database-errors.ts';
import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { publishChange } from '../../platform/live/live.ts';
import { type JobStatusChange, updateJobStatus } from '../jobs/save-job.ts';
import { setTaskStatus, taskRecordType } from '../tasks/tasks.sql.ts';
import { lockBookedStaff } from './calendar.sql.ts';
import { type EventKind, findEventClashes, jobEventKind, taskEventKind } from './schedule-event.ts';

/** Changes a job's status. Reopening a job, like moving one, locks the assigned person first and reports clashes. */
export async function changeJobStatus(scope: TenantScope, change: JobStatusChange): Promise<Job & WithClashes> {
  if (!isBusyStatus(change.status)) return { ...(await updateJobStatus(scope, change)), clashes: [] };
  const before = await lockEventWithStaff(scope, jobEventKind, change.id);
  const job = await updateJobStatus(scope, change);
  // Prefer `from`: a retry finds the new status already set, but must report the same clashes as the first request.
  const isReopened = !isBusyStatus(change.from ?? before.status);
  return { ...job, clashes: isReopened ? await findEventClashes(scope, jobEventKind, job) : [] };
}

export async function changeTaskStatus(
  scope: TenantScope,
  { id, status }: { id: string; status: TaskStatus },
): Promise<Task & WithClashes> {
  if (status === 'active') await lockEventWithStaff(scope, taskEventKind, id);
  if (await setTaskStatus(scope, id, status)) await publishChange(scope, 'tasks');
  const task = await readRecord(scope, taskRecordType, id);
  return { ...task, clashes: await findEventClashes(scope, taskEventKind, task) };
}

/** Locks the assigned person, then the job or task. If the record was reassigned in between, the whole command is retried. */
async function lockEventWithStaff<T extends Job | Task>(scope: TenantScope, { record, lock }: EventKind<T>, id: string) {
  const { staff_id } = await readRecord(scope, record, id);
  await lockBookedStaff(scope, [staff_id]);
  const locked = await lock(scope, id);
  if (locked.staff_id !== staff_id) throw createTransactionConflict('The record was reassigned concurrently');
  return locked;
}
