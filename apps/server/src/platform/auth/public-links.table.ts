import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../db/columns.ts';

export const public_links = pgTable(
  'public_links',
  {
    company_id: uuid().notNull(),
    id: uuid().notNull(),
    token: text().notNull(),
    record_kind: text().notNull(),
    record_id: uuid().notNull(),
    created_at: instant().notNull(),
    revoked_at: instant(),
    first_opened_at: instant(),
    last_opened_at: instant(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.id] })],
);
