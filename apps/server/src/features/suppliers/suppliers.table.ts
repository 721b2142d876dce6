import type { Supplier } from '@callout/contract/suppliers';
import type { PricingMethod } from '@callout/domain/suppliers/item-pricing';
import { boolean, integer, numeric, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant, money } from '../../platform/db/columns.ts';

export const suppliers = pgTable(
  'suppliers',
  {
    company_id: uuid().notNull(),
    id: uuid().notNull(),
    user_id: uuid(),
    company_name: text().notNull(),
    email: text(),
    phone: text(),
    address: text(),
    city: text(),
    state: text(),
    postal_code: text(),
    country: text(),
    status: text().$type<Supplier['status']>().notNull(),
    created_at: instant().notNull(),
    updated_at: instant().notNull(),
    version: integer().notNull(),
    deleted_at: instant(),
    removed_by: text(),
    name_key: text().notNull(),
    search_text: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.id] })],
);

export const supplier_items = pgTable(
  'supplier_items',
  {
    company_id: uuid().notNull(),
    id: uuid().notNull(),
    supplier_id: uuid().notNull(),
    user_id: uuid(),
    name: text().notNull(),
    sku: text().notNull(),
    description: text(),
    cost_price: money().notNull(),
    pricing_method: text().$type<PricingMethod>().notNull(),
    margin_percentage: numeric({ precision: 4, scale: 1 }),
    markup_amount: money(),
    fixed_price: money(),
    tax_inclusive: boolean().notNull(),
    is_service: boolean().notNull(),
    selling_price: money().notNull(),
    profit_margin: numeric({ precision: 16, scale: 1 }).notNull(),
    created_at: instant().notNull(),
    updated_at: instant().notNull(),
    version: integer().notNull(),
    name_key: text().notNull(),
    sku_key: text().notNull(),
    search_text: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.id] })],
);
