import { randomUUID } from 'node:crypto';
import { NewTask } from '@callout/contract/tasks';
import type { TestApp } from '../test-app.ts';

export interface TaskSeed {
  readonly title: string;
  readonly created_at: string;
  readonly status?: 'active' | 'completed';
  readonly staff_id?: string | null;
  /** When the task starts. Null if the task isn't shown in the calendar. */
  readonly calendar_date?: string | null;
  readonly calendar_duration?: string;
}

/** Inserts many tasks in a single statement. */
export async function insertTasks({ app }: TestApp, companyId: string, seeds: readonly TaskSeed[]): Promise<void> {
  const rows = seeds.map(({ status = 'active', created_at, ...seed }) => {
    const fields = NewTask.parse({ id: randomUUID(), show_in_calendar: (seed.calendar_date ?? null) !== null, ...seed });
    const completed_at = status === 'completed' ? created_at : null;
    return { company_id: companyId, ...fields, status, completed_at, created_at, updated_at: created_at, version: 1 };
  });
  const columns = Object.keys(rows[0] ?? {}).join();
  const insert = `insert into tasks (${columns}) select ${columns} from json_populate_recordset(null::tasks, $1)`;
  await app.platform.pools.system.query(insert, [JSON.stringify(rows)]);
}
