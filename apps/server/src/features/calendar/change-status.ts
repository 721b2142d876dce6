import type { Clash } from '@callout/contract/clash';
import type { Job } from '@callout/contract/jobs';
import type { Task } from '@callout/contract/tasks';
import { takesTime } from '@callout/domain/calendar/calendar-event';
import type { TaskStatus } from '@callout/domain/tasks/task';
import { transactionConflict } from '../../platform/db/database-errors.ts';
import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { publishChange } from '../../platform/live/live.ts';
import { changeStatus, type StatusChange } from '../jobs/save-job.ts';
import { setTaskStatus, taskRecord } from '../tasks/tasks.sql.ts';
import { lockBookedStaff } from './calendar.sql.ts';
import { clashesOf, type EventKind, jobEvent, taskEvent } from './schedule-event.ts';

type WithClashes<Found> = Found & { readonly clashes: Clash[] };

/** What takes a person's time again is booked like what is moved: the person is locked first, and the clashes are told. */
export async function changeJobStatus(scope: TenantScope, change: StatusChange): Promise<WithClashes<Job>> {
  if (!takesTime(change.status)) return { ...(await changeStatus(scope, change)), clashes: [] };
  const before = await lockWithPerson(scope, jobEvent, change.id);
  const job = await changeStatus(scope, change);
  // A repeat finds it as it is wanted, and tells the same.
  const isReopened = !takesTime(change.from ?? before.status);
  return { ...job, clashes: isReopened ? await clashesOf(scope, jobEvent, job) : [] };
}

export async function changeTaskStatus(scope: TenantScope, { id, status }: { id: string; status: TaskStatus }): Promise<WithClashes<Task>> {
  if (status === 'active') await lockWithPerson(scope, taskEvent, id);
  if (await setTaskStatus(scope, id, status)) await publishChange(scope, 'tasks');
  const task = await readRecord(scope, taskRecord, id);
  return { ...task, clashes: await clashesOf(scope, taskEvent, task) };
}

/**
 * Locks the person of a job or task, then itself, and returns how it is. If a colleague gives it to another person in between, the command
 * runs again: that person can't be locked any more, as people are locked before jobs and tasks.
 */
async function lockWithPerson<Found extends Job | Task>(scope: TenantScope, { record, lock }: EventKind<Found>, id: string) {
  const { staff_id } = await readRecord(scope, record, id);
  await lockBookedStaff(scope, [staff_id]);
  const locked = await lock(scope, id);
  if (locked.staff_id !== staff_id) throw transactionConflict('It was given to another person at the same moment');
  return locked;
}
