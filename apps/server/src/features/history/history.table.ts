import { jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/db/columns.ts';

export type FieldChanges = Record<string, [before: string | null, after: string | null]>;

export const record_events = pgTable(
  'record_events',
  {
    company_id: uuid().notNull(),
    id: uuid().notNull(),
    record_kind: text().notNull(),
    record_id: uuid().notNull(),
    at: instant().notNull(),
    made_at: instant(),
    staff_id: uuid(),
    who: text().notNull(),
    action: text().notNull(),
    changes: jsonb().$type<FieldChanges>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.id] })],
);
