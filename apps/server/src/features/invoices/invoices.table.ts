import type { InvoiceKind, InvoiceState } from '@callout/domain/invoices/invoice';
import { sql } from 'drizzle-orm';
import { date, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant, money } from '../../platform/db/columns.ts';
import { mailRecordColumns } from '../../platform/mail/mail-record.sql.ts';

export const invoice_counters = pgTable(
  'invoice_counters',
  { company_id: uuid().notNull(), kind: text().$type<InvoiceKind>().notNull(), year: integer().notNull(), last: integer().notNull() },
  (table) => [primaryKey({ columns: [table.company_id, table.kind, table.year] })],
);

export const invoices = pgTable(
  'invoices',
  {
    company_id: uuid().notNull(),
    id: uuid().notNull(),
    kind: text().$type<InvoiceKind>().notNull(),
    year: integer().notNull(),
    number: integer().notNull(),
    invoice_number: text().notNull(),
    job_id: uuid().notNull(),
    job_number: text().notNull(),
    title: text().notNull(),
    customer_id: uuid(),
    customer_name: text().notNull(),
    customer_key: text().notNull(),
    issued_on: date({ mode: 'string' }).notNull(),
    due_on: date({ mode: 'string' }),
    late_after: date({ mode: 'string' }).notNull(),
    subtotal: money().notNull(),
    tax_amount: money().notNull(),
    total_amount: money().notNull(),
    currency: text(),
    replaces: uuid(),
    record: text().notNull(),
    sha256: text().notNull(),
    user_id: uuid(),
    created_by: text().notNull(),
    created_at: instant().notNull(),
    search_text: text().notNull(),
    state: text().$type<InvoiceState>().notNull(),
    paid_amount: money().notNull(),
    /** The database generates these two columns. */
    balance: money().notNull().generatedAlwaysAs(sql``),
    urgency: integer().notNull().generatedAlwaysAs(sql``),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.id] })],
);

export const invoice_mails = pgTable(
  'invoice_mails',
  {
    ...mailRecordColumns,
    invoice_id: uuid().notNull(),
    kind: text().$type<'invoice' | 'reminder'>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.id] })],
);
