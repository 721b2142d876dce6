import type { Currency } from '@callout/domain/money/currency';
import { bigint, boolean, customType, integer, numeric, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/db/columns.ts';

const percentage = () => numeric({ precision: 6, scale: 3 });

/** A whole number as the text that is typed for it, like the other numbers of the settings. */
const days = customType<{ data: string; driverData: number | string }>({ dataType: () => 'integer', fromDriver: String });

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
  quote_reminder_days: days(),
  quote_reminders_since: instant(),
  payment_terms_days: days(),
  invoice_reminder_days: days(),
  invoice_reminders_since: instant(),
  invoice_reminder_subject: text(),
  invoice_reminder_body: text(),
  avatar_url: text(),
  onboarding_completed: boolean().notNull(),
  created_at: instant().notNull(),
  updated_at: instant().notNull(),
  version: integer().notNull(),
  last_active: instant().notNull(),
  file_bytes: bigint({ mode: 'number' }).notNull().default(0),
});
