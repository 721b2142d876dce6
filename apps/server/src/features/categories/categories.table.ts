import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/db/columns.ts';

export const categories = pgTable(
  'categories',
  {
    company_id: uuid().notNull(),
    id: uuid().notNull(),
    user_id: uuid(),
    name: text().notNull(),
    created_at: instant().notNull(),
    updated_at: instant().notNull(),
    version: integer().notNull(),
    deleted_at: instant(),
    removed_by: text(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.id] })],
);
