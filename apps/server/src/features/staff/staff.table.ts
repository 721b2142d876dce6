import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/db/columns.ts';

export const invitations = pgTable(
  'invitations',
  {
    company_id: uuid().notNull(),
    staff_id: uuid().notNull(),
    token_hash: text().notNull(),
    request_id: uuid(),
    expires_at: instant().notNull(),
    created_at: instant().notNull(),
    mail_id: uuid(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.staff_id] })],
);
