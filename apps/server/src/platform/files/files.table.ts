import { bigint, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../db/columns.ts';

/** Logos and avatars are shown to anybody who has their address; attachments only to members. */
export type FilePurpose = 'attachment' | 'logo' | 'avatar';

export const files = pgTable(
  'files',
  {
    company_id: uuid().notNull(),
    id: uuid().notNull(),
    file_name: text().notNull(),
    file_size: bigint({ mode: 'number' }).notNull(),
    file_type: text().notNull(),
    user_id: uuid(),
    purpose: text().$type<FilePurpose>().notNull(),
    created_at: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.id] })],
);
