import type { InvitationDelivery } from '@callout/contract/staff';
import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/db/columns.ts';

export const invitations = pgTable(
  'invitations',
  {
    company_id: uuid().notNull(),
    staff_id: uuid().notNull(),
    /** Of the mailed link. */
    token_hash: text(),
    /** Of the link that the inviter copied. */
    copied_token_hash: text(),
    request_id: uuid(),
    /** Of the request that mailed it again. */
    resend_id: uuid(),
    expires_at: instant().notNull(),
    created_at: instant().notNull(),
    mail_id: uuid(),
    invited_by: uuid(),
    delivery: text().$type<InvitationDelivery>(),
    delivery_problem: text(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.staff_id] })],
);
