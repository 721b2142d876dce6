import type { InvitationDelivery } from '@callout/contract/staff';
import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/db/columns.ts';

export const invitations = pgTable(
  'invitations',
  {
    company_id: uuid().notNull(),
    staff_id: uuid().notNull(),
    /** Hash of the token in the emailed link. */
    token_hash: text(),
    request_id: uuid(),
    /** Id of the request that last resent the email. */
    resend_id: uuid(),
    expires_at: instant(),
    created_at: instant().notNull(),
    mail_id: uuid(),
    invited_by: uuid(),
    /** Hash of the token in the link that `copied_by` copied. */
    copied_token_hash: text(),
    copied_by: uuid(),
    copied_at: instant(),
    copied_expires_at: instant(),
    delivery: text().$type<InvitationDelivery>(),
    delivery_problem: text(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.staff_id] })],
);
