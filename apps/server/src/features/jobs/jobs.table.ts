import type { JobViewFilter } from '@callout/contract/job-views';
import type { PaymentMethod } from '@callout/domain/invoices/invoice';
import type { JobStatus, JobType } from '@callout/domain/jobs/job';
import { boolean, date, integer, jsonb, numeric, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant, money, moneySum } from '../../platform/db/columns.ts';

const taxRate = () => numeric({ precision: 7, scale: 4 });

export const jobs = pgTable(
  'jobs',
  {
    company_id: uuid().notNull(),
    id: uuid().notNull(),
    user_id: uuid(),
    job_number: text().notNull(),
    title: text().notNull(),
    description: text().notNull(),
    status: text().$type<JobStatus>().notNull(),
    job_type: text().$type<JobType>().notNull(),
    fixed_amount: money(),
    hourly_rate: money(),
    /** If true, `hourly_rate` applies even if the assigned person has a rate. */
    hourly_rate_confirmed: boolean().notNull().default(false),
    booking_date: instant(),
    duration: numeric({ precision: 8, scale: 2 }),
    address: text(),
    customer_id: uuid(),
    staff_id: uuid(),
    quote_id: uuid(),
    quote_number: text(),
    /** The job that this one was copied from, even if that job has been deleted. */
    copied_from: uuid(),
    /** In percent. Fixed once the job is quoted, invoiced or paid; null means the company's current rate. */
    tax_rate: taxRate(),
    /** The totals, and the rate and currency they were calculated with. Written by `insertJob` and `repriceJob` only. */
    subtotal: moneySum().notNull().default('0.00'),
    tax_amount: moneySum().notNull().default('0.00'),
    total_amount: moneySum().notNull().default('0.00'),
    priced_rate: taxRate().notNull().default('15'),
    currency: text(),
    /** The deposit that the customer must pay when accepting the quote. */
    deposit_amount: money(),
    /** Denormalized: `billed_amount` is the open invoice's total, and `paid_amount` is the sum of the payments. */
    billed_amount: money(),
    paid_amount: money().notNull().default('0.00'),
    /** True if the last invoice was canceled. Written with `billed_amount`. */
    is_invoice_canceled: boolean().notNull().default(false),
    created_at: instant().notNull(),
    updated_at: instant().notNull(),
    version: integer().notNull(),
    title_key: text().notNull(),
    search_text: text().notNull(),
    /** These three sort keys are written by triggers. */
    customer_key: text(),
    staff_key: text(),
    category_key: text(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.id] })],
);

export const job_categories = pgTable(
  'job_categories',
  { company_id: uuid().notNull(), job_id: uuid().notNull(), category_id: uuid().notNull(), position: integer().notNull() },
  (table) => [primaryKey({ columns: [table.company_id, table.job_id, table.category_id] })],
);

export const job_counters = pgTable(
  'job_counters',
  { company_id: uuid().notNull(), month: text().notNull(), last: integer().notNull() },
  (table) => [primaryKey({ columns: [table.company_id, table.month] })],
);

export const job_items = pgTable(
  'job_items',
  {
    company_id: uuid().notNull(),
    id: uuid().notNull(),
    job_id: uuid().notNull(),
    position: integer().notNull(),
    supplier_item_id: uuid(),
    name: text().notNull(),
    description: text(),
    sku: text(),
    supplier_name: text(),
    tax_inclusive: boolean().notNull(),
    is_service: boolean().notNull(),
    quantity: numeric({ precision: 12, scale: 3 }).notNull(),
    unit_price: money().notNull(),
    cost_price: money(),
    discount_percent: numeric({ precision: 5, scale: 2 }),
    discount_amount: money(),
    discount: money().notNull().default('0'),
    total_price: money().notNull(),
    is_fixed_price: boolean().notNull().default(false),
    created_at: instant().notNull(),
    version: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.id] })],
);

export const time_entries = pgTable(
  'time_entries',
  {
    company_id: uuid().notNull(),
    id: uuid().notNull(),
    job_id: uuid(),
    job_number: text().notNull(),
    job_title: text().notNull(),
    staff_id: uuid(),
    staff_name: text().notNull(),
    started_at: instant().notNull(),
    ended_at: instant(),
    allocated_item_id: uuid(),
    original_ended_at: instant(),
    corrected_at: instant(),
    corrected_by: text(),
    /** Who added the entry by hand; null if a timer recorded it. */
    added_by: text(),
    /** When the timer was started, if the time since then was billed in part; see `markTimeBilled`. */
    timer_started_at: instant(),
    arrived_at: instant(),
    version: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.id] })],
);

export const job_comments = pgTable(
  'job_comments',
  {
    company_id: uuid().notNull(),
    id: uuid().notNull(),
    job_id: uuid().notNull(),
    user_id: uuid(),
    staff_id: uuid(),
    author_name: text().notNull(),
    content: text().notNull(),
    created_at: instant().notNull(),
    made_at: instant(),
    version: integer().notNull().default(1),
    edited_at: instant(),
    /** Maps the ids in the text to the names at the time of writing, for people who are deleted later. */
    mentions: jsonb().$type<Record<string, string>>().notNull().default({}),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.id] })],
);

export const job_views = pgTable(
  'job_views',
  {
    company_id: uuid().notNull(),
    id: uuid().notNull(),
    /** The person who saved the view. No one else sees it. */
    staff_id: uuid().notNull(),
    name: text().notNull(),
    filter: jsonb().$type<JobViewFilter>().notNull(),
    created_at: instant().notNull(),
    updated_at: instant().notNull(),
    version: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.id] })],
);

/** Sums of the money received on each day, which triggers maintain. */
export const payment_days = pgTable(
  'payment_days',
  {
    company_id: uuid().notNull(),
    paid_on: date({ mode: 'string' }).notNull(),
    method: text().$type<PaymentMethod>().notNull(),
    entries: integer().notNull(),
    reversals: integer().notNull(),
    amount: moneySum().notNull(),
    fee: moneySum().notNull(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.paid_on, table.method] })],
);

/** Money received for jobs. Rows never change, except the search text: a reversal is a row with the negative amount. */
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
    /** The job's customer when the payment was recorded. */
    customer_name: text(),
    customer_key: text().notNull(),
    /** Triggers add the numbers of the job's invoices, earlier and later ones. */
    search_text: text().notNull(),
    /** A trigger stores the job's open invoice and title of that time. The title is null only for payments that are not completed yet. */
    invoice_number: text(),
    job_title: text(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.id] })],
);
