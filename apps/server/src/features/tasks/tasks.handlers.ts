import type { WithClashes } from '@callout/contract/clash';
import type { Task, UpdateTaskInput } from '@callout/contract/tasks';
import type { TaskStatus } from '@callout/domain/tasks/task';
import { countRecords, listRecords } from '../../platform/db/keyset-list.ts';
import { createRecordOnce, deleteRecord, readRecord, updateRecordAtVersion } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { calls, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';
import { publishChange } from '../../platform/live/live.ts';
import { lockReferencedRecords } from '../jobs/save-job.sql.ts';
import { taskList, taskRecordType } from './tasks.sql.ts';

export const tasksHandlers = {
  list: calls.tasks.list.handler(tenantQuery((scope, { input }) => listRecords(scope, taskList, input))),

  count: calls.tasks.count.handler(tenantQuery(async (scope, { input }) => ({ total: await countRecords(scope, taskList, input) }))),

  get: calls.tasks.get.handler(tenantQuery((scope, { input }) => readRecord(scope, taskRecordType, input.id))),

  create: calls.tasks.create.handler(
    tenantMutation(async (scope, { input: { id, ...fields } }) => {
      await lockAssignee(scope, fields);
      const task = await createRecordOnce(scope, taskRecordType, id, { ...fields, completed_at: null });
      await publishChange(scope, 'tasks');
      return task;
    }),
  ),

  update: calls.tasks.update.handler(tenantMutation((scope, { input }) => updateTask(scope, input))),

  remove: calls.tasks.remove.handler(
    tenantMutation(async (scope, { input }) => {
      await deleteRecord(scope, taskRecordType, input.id);
      await publishChange(scope, 'tasks');
      return {};
    }),
  ),
};

interface TaskStatusChange {
  readonly id: string;
  readonly status: TaskStatus;
}

/** Takes the command from the calendar (`change-status.ts`), because reopening a task can cause a clash with another booking. */
export const createTaskStatusHandlers = (changeStatus: (scope: TenantScope, change: TaskStatusChange) => Promise<Task & WithClashes>) => ({
  setStatus: calls.tasks.setStatus.handler(tenantMutation((scope, { input }) => changeStatus(scope, input))),
});

async function updateTask(scope: TenantScope, { id, version, ...fields }: UpdateTaskInput): Promise<Task> {
  await readRecord(scope, taskRecordType, id);
  await lockAssignee(scope, fields);
  const task = await updateRecordAtVersion(scope, taskRecordType, { id, version }, fields);
  await publishChange(scope, 'tasks');
  return task;
}

/** Locks the assigned staff member. To prevent deadlocks, every call that assigns someone does this before locking the task. */
async function lockAssignee(scope: TenantScope, { staff_id }: { staff_id: string | null }): Promise<void> {
  if (staff_id !== null) await lockReferencedRecords(scope, { staff_id, category_ids: [] });
}
