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
    request_id: uuid(),
    /** Of the request that mailed it again. */
    resend_id: uuid(),
    expires_at: instant(),
    created_at: instant().notNull(),
    mail_id: uuid(),
    invited_by: uuid(),
    /** Of the link that a staff member copied, `copied_by`. */
    copied_token_hash: text(),
    copied_by: uuid(),
    copied_at: instant(),
    copied_expires_at: instant(),
    delivery: text().$type<InvitationDelivery>(),
    delivery_problem: text(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.staff_id] })],
);
