import { bigint, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../db/columns.ts';

/**
 * Anyone with the URL can see logos and avatars. Only members can see attachments. A customer with a quote's link sees the thumbnails and
 * public copies of its photos, which have no location.
 */
export type FilePurpose = 'attachment' | 'logo' | 'avatar' | 'thumbnail' | 'public_copy';

/** The record that a file belongs to. A new upload has none until it is attached; 'unknown' marks files from before owners existed. */
export interface FileOwner {
  /** 'file' owns a thumbnail or public copy. 'quote_acceptance' permanently owns files that were removed from a quote after it was accepted. */
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
    /** The customer of the job, if the file is in a comment. Set by a trigger. */
    customer_id: uuid(),
    /** The file's position among its owner's files. */
    owner_position: integer().notNull().default(0),
    unattached_since: instant(),
    created_at: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.id] })],
);
