import { randomUUID } from 'node:crypto';
import { NewTask } from '@callout/contract/tasks';
import type { TaskColor } from '@callout/domain/tasks/task';
import { addDays, localDate, zonedInstant } from '@callout/domain/time/zoned-time';
import type pg from 'pg';
import { setTaskStatus, taskRecord } from '../features/tasks/tasks.sql.ts';
import { createOnce } from '../platform/db/records.ts';
import { changeAs, type Tenant } from '../platform/db/tenant-scope.ts';
import { plannedToday, workdayAfter } from './demo-plan.ts';

interface DemoTask {
  readonly title: string;
  readonly description?: string;
  readonly color: TaskColor;
  /** The first name of whose it is. */
  readonly who?: string;
  /** Workdays from today on, in the calendar. */
  readonly at?: { readonly days: number; readonly time: string; readonly hours: string };
  readonly createdDaysAgo: number;
  readonly completedDaysAgo?: number;
}

const TASKS: readonly DemoTask[] = [
  { title: 'Team call and ordering', color: 'yellow', who: 'mia', at: { days: 0, time: '08:30', hours: '1' }, createdDaysAgo: 3 },
  { title: 'Invoice run', color: 'green', who: 'mia', at: { days: 0, time: '16:00', hours: '1' }, createdDaysAgo: 2 },
  {
    title: 'GST return',
    description: 'Check the three corrected invoices first.',
    color: 'purple',
    who: 'ngaire',
    at: { days: 0, time: '11:00', hours: '1.5' },
    createdDaysAgo: 5,
  },
  { title: 'Pick up the radiators', color: 'blue', who: 'josh', at: { days: 1, time: '07:30', hours: '0.5' }, createdDaysAgo: 1 },
  { title: 'Warrant of fitness, van 2', color: 'red', who: 'sam', at: { days: 2, time: '15:00', hours: '1' }, createdDaysAgo: 12 },
  { title: 'Toolbox talk: working at height', color: 'teal', at: { days: 3, time: '07:00', hours: '0.75' }, createdDaysAgo: 4 },
  {
    title: 'Ask Kauri Property Management for the keys',
    description: 'Units 1–6, for the backflow test.',
    color: 'pink',
    who: 'mia',
    createdDaysAgo: 1,
  },
  { title: 'New batteries for the pipe camera', color: 'indigo', createdDaysAgo: 6 },
  { title: 'Book gas training for Hemi', color: 'blue', who: 'mia', createdDaysAgo: 9, completedDaysAgo: 2 },
  { title: 'Stocktake of both vans', color: 'teal', who: 'sam', createdDaysAgo: 20, completedDaysAgo: 6 },
  { title: 'Renew the public liability insurance', color: 'red', who: 'mia', createdDaysAgo: 31, completedDaysAgo: 17 },
  { title: 'Put up the sign in Ōtāhuhu', color: 'yellow', who: 'josh', createdDaysAgo: 40, completedDaysAgo: 33 },
];

/** What the office has to do, and what is done. `staffIds` is by first name. */
export async function addDemoTasks(pool: pg.Pool, tenant: Tenant, zone: string, staffIds: ReadonlyMap<string, string>): Promise<void> {
  const { now } = tenant;
  const today = localDate(now, zone);
  const daysAgo = (days: number) => zonedInstant(addDays(today, -days), '09:40', zone);
  for (const { title, description = null, color, who = '', at, createdDaysAgo, completedDaysAgo } of TASKS) {
    const { id, ...fields } = NewTask.parse({
      id: randomUUID(),
      title,
      description,
      color,
      show_in_calendar: at !== undefined,
      calendar_date: at ? dateOf(at, now, zone) : null,
      calendar_duration: at?.hours ?? null,
      staff_id: staffIds.get(who) ?? null,
    });
    await changeAs(pool, { ...tenant, now: daysAgo(createdDaysAgo) }, async (scope) => {
      await createOnce(scope, taskRecord, id, { ...fields, completed_at: null });
    });
    if (completedDaysAgo === undefined) continue;
    await changeAs(pool, { ...tenant, now: daysAgo(completedDaysAgo) }, async (scope) => {
      await setTaskStatus(scope, id, 'completed');
    });
  }
}

function dateOf({ days, time }: NonNullable<DemoTask['at']>, now: string, zone: string): string {
  if (days === 0) return plannedToday(time, now, zone);
  return zonedInstant(workdayAfter(localDate(now, zone), days), time, zone);
}
