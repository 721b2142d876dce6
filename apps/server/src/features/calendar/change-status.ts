import type { Clash } from '@callout/contract/clash';
import type { Job } from '@callout/contract/jobs';
import type { Task } from '@callout/contract/tasks';
import { takesTime } from '@callout/domain/calendar/calendar-event';
import type { TaskStatus } from '@callout/domain/tasks/task';
import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { publishChange } from '../../platform/live/live.ts';
import { jobRecord } from '../jobs/jobs.sql.ts';
import { changeStatus, type StatusChange } from '../jobs/save-job.ts';
import { setTaskStatus, taskRecord } from '../tasks/tasks.sql.ts';
import { lockBookedStaff } from './calendar.sql.ts';
import { clashesOf, jobEvent, taskEvent } from './schedule-event.ts';

type WithClashes<Found> = Found & { readonly clashes: Clash[] };

/** What takes a person's time again is booked like what is moved: the person is locked first, and the clashes are told. */
export async function changeJobStatus(scope: TenantScope, change: StatusChange): Promise<WithClashes<Job>> {
  if (!takesTime(change.status)) return { ...(await changeStatus(scope, change)), clashes: [] };
  const before = await readRecord(scope, jobRecord, change.id);
  await lockBookedStaff(scope, [before.staff_id]);
  const job = await changeStatus(scope, change);
  // A repeat finds it as it is wanted, and tells the same.
  const isReopened = !takesTime(change.from ?? before.status);
  return { ...job, clashes: isReopened ? await clashesOf(scope, jobEvent, job) : [] };
}

export async function changeTaskStatus(scope: TenantScope, { id, status }: { id: string; status: TaskStatus }): Promise<WithClashes<Task>> {
  if (status === 'active') await lockBookedStaff(scope, [(await readRecord(scope, taskRecord, id)).staff_id]);
  if (await setTaskStatus(scope, id, status)) await publishChange(scope, 'tasks');
  const task = await readRecord(scope, taskRecord, id);
  return { ...task, clashes: await clashesOf(scope, taskEvent, task) };
}
