import { randomUUID } from 'node:crypto';
import { NewTask } from '@callout/contract/tasks';
import type { TaskColor } from '@callout/domain/tasks/task';
import { addDays, toInstant, toLocalDate } from '@callout/domain/time/zoned-time';
import type pg from 'pg';
import { setTaskStatus, taskRecordType } from '../features/tasks/tasks.sql.ts';
import { createRecordOnce } from '../platform/db/records.ts';
import { runTenantTransaction, type Tenant } from '../platform/db/tenant-scope.ts';
import { addWorkdays, getPlannedInstant } from './demo-plan.ts';

interface DemoTask {
  readonly title: string;
  readonly description?: string;
  readonly color: TaskColor;
  /** The assignee's first name in lower case. */
  readonly assignee?: string;
  /** Time slot in the calendar. `days` counts workdays from today. */
  readonly slot?: { readonly days: number; readonly time: string; readonly hours: string };
  readonly createdDaysAgo: number;
  readonly completedDaysAgo?: number;
}

const DEMO_TASKS: readonly DemoTask[] = [
  { title: 'Team call and ordering', color: 'yellow', assignee: 'mia', slot: { days: 0, time: '08:30', hours: '1' }, createdDaysAgo: 3 },
  { title: 'Invoice run', color: 'green', assignee: 'mia', slot: { days: 0, time: '16:00', hours: '1' }, createdDaysAgo: 2 },
  {
    title: 'GST return',
    description: 'Check the three corrected invoices first.',
    color: 'purple',
    assignee: 'ngaire',
    slot: { days: 0, time: '11:00', hours: '1.5' },
    createdDaysAgo: 5,
  },
  { title: 'Pick up the radiators', color: 'blue', assignee: 'josh', slot: { days: 1, time: '07:30', hours: '0.5' }, createdDaysAgo: 1 },
  { title: 'WOF for van 2', color: 'red', assignee: 'sam', slot: { days: 2, time: '15:00', hours: '1' }, createdDaysAgo: 12 },
  { title: 'Toolbox talk: working at heights', color: 'teal', slot: { days: 3, time: '07:00', hours: '0.75' }, createdDaysAgo: 4 },
  {
    title: 'Get the keys from Kauri Property Management',
    description: 'Units 1–6, for the backflow test.',
    color: 'pink',
    assignee: 'mia',
    createdDaysAgo: 1,
  },
  { title: 'New batteries for the drain camera', color: 'indigo', createdDaysAgo: 6 },
  { title: 'Book gas training for Hemi', color: 'blue', assignee: 'mia', createdDaysAgo: 9, completedDaysAgo: 2 },
  { title: 'Stocktake on both vans', color: 'teal', assignee: 'sam', createdDaysAgo: 20, completedDaysAgo: 6 },
  { title: 'Renew public liability insurance', color: 'red', assignee: 'mia', createdDaysAgo: 31, completedDaysAgo: 17 },
  { title: 'Put up the sign in Ōtāhuhu', color: 'yellow', assignee: 'josh', createdDaysAgo: 40, completedDaysAgo: 33 },
];

/** Adds the office's open and completed tasks. The keys of `staffIds` are first names in lower case. */
export async function addDemoTasks(pool: pg.Pool, tenant: Tenant, zone: string, staffIds: ReadonlyMap<string, string>): Promise<void> {
  const { now } = tenant;
  const today = toLocalDate(now, zone);
  const daysAgo = (days: number) => toInstant(addDays(today, -days), '09:40', zone);
  for (const { title, description = null, color, assignee = '', slot, createdDaysAgo, completedDaysAgo } of DEMO_TASKS) {
    const { id, ...fields } = NewTask.parse({
      id: randomUUID(),
      title,
      description,
      color,
      show_in_calendar: slot !== undefined,
      calendar_date: slot ? getCalendarDate(slot, now, zone) : null,
      calendar_duration: slot?.hours ?? null,
      staff_id: staffIds.get(assignee) ?? null,
    });
    await runTenantTransaction(pool, { ...tenant, now: daysAgo(createdDaysAgo) }, async (scope) => {
      await createRecordOnce(scope, taskRecordType, id, { ...fields, completed_at: null });
    });
    if (completedDaysAgo === undefined) continue;
    await runTenantTransaction(pool, { ...tenant, now: daysAgo(completedDaysAgo) }, async (scope) => {
      await setTaskStatus(scope, id, 'completed');
    });
  }
}

function getCalendarDate({ days, time }: NonNullable<DemoTask['slot']>, now: string, zone: string): string {
  if (days === 0) return getPlannedInstant(time, now, zone);
  return toInstant(addWorkdays(toLocalDate(now, zone), days), time, zone);
}
