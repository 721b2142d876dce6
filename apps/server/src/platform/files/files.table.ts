import { bigint, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../db/columns.ts';

/** Logos and avatars are visible to anyone with their URL, attachments and their thumbnails only to members. */
export type FilePurpose = 'attachment' | 'logo' | 'avatar' | 'thumbnail';

/** What a file belongs to. An attachment has no owner until a record takes it; 'unknown' are those from before owners were recorded. */
export interface FileOwner {
  /** 'file' is the owner of a thumbnail, 'quote_acceptance' of what a quote had when it was accepted and no longer has: for ever. */
  readonly kind: 'company' | 'staff_member' | 'job_comment' | 'quote' | 'quote_acceptance' | 'file';
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
    /** The order in which its owner shows it. */
    owner_position: integer().notNull().default(0),
    unattached_since: instant(),
    created_at: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.id] })],
);
