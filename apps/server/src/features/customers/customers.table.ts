import type { CustomerStatus } from '@callout/domain/customers/customer';
import { sql } from 'drizzle-orm';
import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/db/columns.ts';

export const customers = pgTable(
  'customers',
  {
    company_id: uuid().notNull(),
    id: uuid().notNull(),
    user_id: uuid(),
    name: text().notNull(),
    email: text().notNull(),
    phone: text().notNull(),
    address: text().notNull(),
    notes: text(),
    company_name: text(),
    contact_name: text(),
    contact_email: text(),
    contact_phone: text(),
    status: text().$type<CustomerStatus>().notNull(),
    created_at: instant().notNull(),
    last_interaction: instant(),
    updated_at: instant().notNull(),
    version: integer().notNull(),
    deleted_at: instant(),
    removed_by: text(),
    name_key: text().notNull(),
    company_name_key: text(),
    contact_name_key: text(),
    search_text: text().notNull(),
    phone_tail: text().generatedAlwaysAs(sql`right(regexp_replace(phone, '[^0-9]', '', 'g'), 7)`),
    email_key: text().generatedAlwaysAs(sql`lower(email)`),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.id] })],
);
