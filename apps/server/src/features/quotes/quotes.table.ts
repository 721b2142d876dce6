import type { FormerCustomer, QuoteItem } from '@callout/contract/quotes';
import type { QuoteStatus } from '@callout/domain/quotes/quote';
import type { PricingMethod } from '@callout/domain/suppliers/item-pricing';
import { boolean, date, integer, jsonb, numeric, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant, money } from '../../platform/db/columns.ts';
import { defineMailTable } from '../documents/documents.table.ts';

const totalColumns = { subtotal: money().notNull(), tax_amount: money().notNull(), total_amount: money().notNull() };

export const quotes = pgTable(
  'quotes',
  {
    company_id: uuid().notNull(),
    id: uuid().notNull(),
    user_id: uuid(),
    customer_id: uuid(),
    /** The name of the deleted customer to whom the quote was sent. */
    former_customer: jsonb().$type<FormerCustomer>(),
    quote_number: text().notNull(),
    title: text().notNull(),
    description: text(),
    valid_until: date({ mode: 'string' }),
    status: text().$type<QuoteStatus>().notNull(),
    tax_rate: numeric({ precision: 7, scale: 4 }).notNull(),
    /** The company's currency. A draft follows it until the first document is sent; after that, it can't change. */
    currency: text(),
    ...totalColumns,
    deposit_percentage: numeric({ precision: 5, scale: 2 }),
    deposit_amount: money(),
    selected_option_id: uuid(),
    accepted_option_ids: uuid().array().notNull(),
    copied_from: uuid(),
    sent_at: instant(),
    rejected_at: instant(),
    created_at: instant().notNull(),
    updated_at: instant().notNull(),
    version: integer().notNull(),
    title_key: text().notNull(),
    search_text: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.id] })],
);

export const quote_sections = pgTable(
  'quote_sections',
  {
    company_id: uuid().notNull(),
    id: uuid().notNull(),
    quote_id: uuid().notNull(),
    position: integer().notNull(),
    name: text().notNull(),
    description: text(),
    always_required: boolean().notNull(),
    ...totalColumns,
  },
  (table) => [primaryKey({ columns: [table.company_id, table.id] })],
);

export const quote_items = pgTable(
  'quote_items',
  {
    company_id: uuid().notNull(),
    id: uuid().notNull(),
    quote_id: uuid().notNull(),
    section_id: uuid().notNull(),
    position: integer().notNull(),
    supplier_item_id: uuid(),
    picked_item_id: uuid(),
    name: text().notNull(),
    description: text(),
    sku: text(),
    supplier_name: text(),
    tax_inclusive: boolean().notNull(),
    is_service: boolean().notNull(),
    quantity: numeric({ precision: 12, scale: 3 }).notNull(),
    unit_price: money().notNull(),
    total_price: money().notNull(),
    cost_price: money(),
    pricing_method: text().$type<PricingMethod>(),
    margin_percentage: numeric({ precision: 4, scale: 1 }),
    markup_amount: money(),
    fixed_price: money(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.id] })],
);

export const quote_mails = defineMailTable('quote');

export const quote_acceptances = pgTable(
  'quote_acceptances',
  {
    company_id: uuid().notNull(),
    quote_id: uuid().notNull(),
    job_id: uuid(),
    job_number: text().notNull(),
    section_ids: uuid().array().notNull(),
    total_amount: money().notNull(),
    accepted_by: text().notNull(),
    by_customer: boolean().notNull(),
    staff_id: uuid(),
    accepted_at: instant().notNull(),
    network_address: text(),
    browser: text(),
    user_agent: text(),
    record: text().notNull(),
    sha256: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.quote_id] })],
);

/** `follows_list` is true if the line had the list price when the template was saved. Such a line uses the current list price. */
export type TemplateLine = Pick<
  QuoteItem,
  'supplier_item_id' | 'name' | 'description' | 'sku' | 'supplier_name' | 'tax_inclusive' | 'is_service' | 'quantity' | 'unit_price'
> & { readonly follows_list: boolean };

export const section_templates = pgTable(
  'section_templates',
  {
    company_id: uuid().notNull(),
    id: uuid().notNull(),
    user_id: uuid(),
    name: text().notNull(),
    name_key: text().notNull(),
    description: text(),
    always_required: boolean().notNull(),
    items: jsonb().$type<readonly TemplateLine[]>().notNull(),
    created_at: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.id] })],
);
