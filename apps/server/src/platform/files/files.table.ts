import { bigint, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../db/columns.ts';

/** Logos and avatars are visible to anyone with their URL, attachments only to members. */
export type FilePurpose = 'attachment' | 'logo' | 'avatar';

/** What a file belongs to. An attachment has no owner until a record takes it; 'unknown' are those from before owners were recorded. */
export interface FileOwner {
  readonly kind: 'company' | 'staff_member';
  readonly id: string;
}

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
    owner_kind: text().$type<FileOwner['kind'] | 'unknown'>(),
    owner_id: uuid(),
    unattached_since: instant(),
    created_at: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.id] })],
);
