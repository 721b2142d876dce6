import { randomUUID } from 'node:crypto';
import { insertTasks, type TaskSeed } from '../../../test/factories/task-rows.ts';
import { testListPlans } from '../../../test/list-plans.ts';
import type { TestApp } from '../../../test/test-app.ts';
import { taskList } from './tasks.sql.ts';

const STAFF_ID = '1d3c7f10-52c4-4a59-8a3c-4e0a9b6c7d8e';

async function insertYearsOfTasks(test: TestApp, companyId: string): Promise<void> {
  const staff = [STAFF_ID, ...Array.from({ length: 20 }, () => randomUUID())];
  await test.app.platform.pools.system.query(
    `insert into staff_members (company_id, id, name, email, role) select $1, id, 'Plumber', id || '@example.com', 'staff' from unnest($2::uuid[]) id`,
    [companyId, staff],
  );
  const buildTaskSeed = (index: number): TaskSeed => ({
    title: `Order ${index}`,
    status: index % 25 === 0 ? 'active' : 'completed',
    created_at: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString(),
    staff_id: index % 25 === 1 ? STAFF_ID : index % 7 === 6 ? null : (staff[1 + (index % 20)] ?? null),
  });
  await insertTasks(
    test,
    companyId,
    Array.from({ length: 5000 }, (_, index) => buildTaskSeed(index)),
  );
}

const NEWEST_FIRST = { sort: 'created_at', order: 'desc' } as const;

testListPlans({
  list: taskList,
  insertRows: insertYearsOfTasks,
  rareFilters: [
    { ...NEWEST_FIRST, status: 'active' },
    { ...NEWEST_FIRST, staff_id: STAFF_ID },
  ],
});
