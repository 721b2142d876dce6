import type { Currency } from '@callout/domain/money/currency';
import { bigint, boolean, integer, numeric, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/db/columns.ts';

const percentage = () => numeric({ precision: 6, scale: 3 });

export const companies = pgTable('companies', {
  company_id: uuid().primaryKey(),
  company_name: text(),
  email: text(),
  phone: text(),
  address: text(),
  timezone: text(),
  gst_number: text(),
  gst_percentage: percentage(),
  default_hourly_rate: numeric({ precision: 12, scale: 2 }),
  currency: text().$type<Currency>(),
  bank_name: text(),
  bank_account_number: text(),
  paypal_email: text(),
  add_paypal_fees: boolean().notNull(),
  paypal_fee_percentage: percentage(),
  avatar_url: text(),
  onboarding_completed: boolean().notNull(),
  created_at: instant().notNull(),
  updated_at: instant().notNull(),
  version: integer().notNull(),
  last_active: instant().notNull(),
  file_bytes: bigint({ mode: 'number' }).notNull().default(0),
});
