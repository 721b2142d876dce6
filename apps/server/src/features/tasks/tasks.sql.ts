import { Task, taskNotFoundError } from '@callout/contract/tasks';
import type { TaskStatus } from '@callout/domain/tasks/task';
import { and, ne, sql } from 'drizzle-orm';
import { staff_members } from '../../platform/auth/auth.table.ts';
import { defineList } from '../../platform/db/keyset-list.ts';
import { getMadeAt } from '../../platform/db/made-at.ts';
import { prepareSelectFrom } from '../../platform/db/prepared-select.ts';
import { buildChangeStamps, inCompany, pickColumns, type RecordType, selectExistingId } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { toFailure } from '../../platform/errors/failures.ts';
import { buildStaffJsonSubquery } from '../jobs/jobs.sql.ts';
import { tasks } from './tasks.table.ts';

const taskColumns = {
  ...pickColumns(tasks, Task.omit({ staff: true })),
  staff_id: selectExistingId(tasks.staff_id, staff_members),
  staff: buildStaffJsonSubquery<Task['staff']>(
    sql`${staff_members.company_id} = ${tasks.company_id} and ${staff_members.id} = ${tasks.staff_id}`,
  ),
};

const TASK_BY_ID = prepareSelectFrom<Task>(
  'tasks.get',
  taskColumns,
  sql`from ${tasks} where ${tasks.company_id} = ${sql.placeholder('company')} and ${tasks.id} = ${sql.placeholder('id')}`,
);

export const taskRecordType: RecordType<typeof tasks, Task> = {
  table: tasks,
  idColumn: tasks.id,
  notFound: taskNotFoundError,
  conflicts: {},
  returning: null,
  async find(scope, id) {
    const [task] = await scope.run(TASK_BY_ID, { company: scope.companyId, id });
    return task ?? null;
  },
};

export const taskList = defineList({
  table: tasks,
  columns: taskColumns,
  sorts: { created_at: [tasks.created_at] },
  filters: { status: tasks.status, staff_id: tasks.staff_id },
});

/** Returns false if the task doesn't exist or already has the status. The completion time then stays the same. */
export async function setTaskStatus(scope: TenantScope, id: string, status: TaskStatus): Promise<boolean> {
  const changed = await scope.db
    .update(tasks)
    .set({ status, completed_at: status === 'completed' ? getMadeAt(scope) : null, ...buildChangeStamps(scope, tasks.version) })
    .where(and(inCompany(scope, tasks, id), ne(tasks.status, status)))
    .returning({ id: tasks.id });
  return changed.length > 0;
}

export async function lockTask(scope: TenantScope, id: string): Promise<Pick<Task, 'status' | 'staff_id'>> {
  const [task] = await scope.db
    .select({ status: tasks.status, staff_id: taskColumns.staff_id })
    .from(tasks)
    .where(inCompany(scope, tasks, id))
    .for('no key update');
  if (!task) throw toFailure(taskNotFoundError);
  return task;
}
