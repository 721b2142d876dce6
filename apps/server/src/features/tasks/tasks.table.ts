import type { TaskColor, TaskStatus } from '@callout/domain/tasks/task';
import { boolean, integer, numeric, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/db/columns.ts';

export const tasks = pgTable(
  'tasks',
  {
    company_id: uuid().notNull(),
    id: uuid().notNull(),
    user_id: uuid(),
    title: text().notNull(),
    description: text(),
    color: text().$type<TaskColor>().notNull(),
    show_in_calendar: boolean().notNull(),
    calendar_date: instant(),
    calendar_duration: numeric({ precision: 8, scale: 2 }),
    staff_id: uuid(),
    status: text().$type<TaskStatus>().notNull(),
    completed_at: instant(),
    created_at: instant().notNull(),
    updated_at: instant().notNull(),
    version: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.id] })],
);
