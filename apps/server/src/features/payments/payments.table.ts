import type { PaymentMethod } from '@callout/domain/invoices/invoice';
import { date, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant, money } from '../../platform/db/columns.ts';

export const payments = pgTable(
  'payments',
  {
    company_id: uuid().notNull(),
    id: uuid().notNull(),
    job_id: uuid().notNull(),
    amount: money().notNull(),
    /** Paid on top of `amount` for paying online. Not part of the debt. */
    fee: money().notNull().default('0.00'),
    paid_on: date({ mode: 'string' }).notNull(),
    method: text().$type<PaymentMethod>().notNull(),
    note: text(),
    user_id: uuid(),
    recorded_by: text().notNull(),
    recorded_at: instant().notNull(),
    reverses: uuid(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.id] })],
);
