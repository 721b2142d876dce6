import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/db/columns.ts';

/** The two documents that customers get. Their tables and columns are named after them. */
export type DocumentName = 'quote' | 'invoice';
/** An email sends the document itself or reminds the customer of it. */
export type MailKind = DocumentName | 'reminder';

/** Defines the table of a document's emails: text, sender, and the state of the latest attempt, which is `mail_id` in the outbox. */
export const defineMailTable = (name: DocumentName) =>
  pgTable(
    `${name}_mails`,
    {
      company_id: uuid().notNull(),
      id: uuid().notNull(),
      document_id: uuid(`${name}_id`).notNull(),
      kind: text().$type<MailKind>().notNull(),
      mail_id: uuid().notNull(),
      recipient: text().notNull(),
      subject: text().notNull(),
      body: text().notNull(),
      status: text().$type<'queued' | 'sent' | 'failed' | 'kept'>().notNull(),
      problem: text(),
      queued_at: instant().notNull(),
      sent_at: instant(),
      user_id: uuid(),
      sent_by: text(),
    },
    (table) => [primaryKey({ columns: [table.company_id, table.id] })],
  );

export type MailTable = ReturnType<typeof defineMailTable>;
