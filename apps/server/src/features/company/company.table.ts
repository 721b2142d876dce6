import type { Currency } from '@callout/domain/money/currency';
import { boolean, customType, integer, numeric, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/db/columns.ts';

const percentageColumn = () => numeric({ precision: 6, scale: 3 });

/** An integer column that is read as a string, like the other numbers in the settings. */
const daysColumn = customType<{ data: string; driverData: number | string }>({ dataType: () => 'integer', fromDriver: String });

export const companies = pgTable('companies', {
  company_id: uuid().primaryKey(),
  company_name: text(),
  email: text(),
  phone: text(),
  address: text(),
  timezone: text(),
  gst_number: text(),
  gst_percentage: percentageColumn(),
  default_hourly_rate: numeric({ precision: 12, scale: 2 }),
  currency: text().$type<Currency>(),
  bank_name: text(),
  bank_account_number: text(),
  paypal_email: text(),
  add_paypal_fees: boolean().notNull(),
  paypal_fee_percentage: percentageColumn(),
  quote_reminder_days: daysColumn(),
  quote_reminders_since: instant(),
  payment_terms_days: daysColumn(),
  invoice_reminder_days: daysColumn(),
  invoice_reminders_since: instant(),
  invoice_reminder_subject: text(),
  invoice_reminder_body: text(),
  avatar_url: text(),
  onboarding_completed: boolean().notNull(),
  created_at: instant().notNull(),
  updated_at: instant().notNull(),
  version: integer().notNull(),
  last_active: instant().notNull(),
  /** When the closed company will be deleted; null while it is open. */
  deletes_at: instant(),
});
