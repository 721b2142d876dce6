import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { toStoredCustomer } from '../apps/server/src/features/customers/customers.sql.ts';
import { buildJobSearchKeys } from '../apps/server/src/features/jobs/save-job.sql.ts';
import { buildQuoteSearchKeys } from '../apps/server/src/features/quotes/quotes.sql.ts';
import type { DatabaseConnection } from '../apps/server/src/platform/db/pools.ts';
import { type GeneratedCustomer, generateCustomers } from './customers.ts';
import { type GeneratedInvoice, generateInvoices } from './invoices.ts';
import { type GeneratedJob, generateJobs } from './jobs.ts';
import { type GeneratedQuote, GST_RATE, generateQuotes } from './quotes.ts';
import { type GeneratedTask, generateTasks } from './tasks.ts';

const SEED = 20_000;
const CUSTOMER_COUNT = 20_000;
/** Other companies' rows fill every table and index, so that the measurements include the cost of multi-tenancy. */
const OTHER_COMPANY_COUNT = 20;
const CUSTOMERS_PER_OTHER_COMPANY = 500;
const JOB_COUNT = 20_000;
const JOBS_PER_OTHER_COMPANY = 500;
const QUOTE_COUNT = 20_000;
const QUOTES_PER_OTHER_COMPANY = 500;
const TASK_COUNT = 5000;
const TASKS_PER_OTHER_COMPANY = 100;
const CATEGORY_NAMES = ['Bathrooms', 'Drains', 'Gas', 'Heating', 'Hot water', 'Maintenance'];
const BATCH_SIZE = 1000;

export interface SeededCompany {
  readonly customers: readonly GeneratedCustomer[];
  readonly jobs: readonly GeneratedJob[];
  readonly quotes: readonly GeneratedQuote[];
  /** Exactly one per job. */
  readonly invoices: readonly GeneratedInvoice[];
  readonly staffId: string;
  readonly categoryIds: readonly string[];
}

export async function seedDatabase(database: DatabaseConnection, companyId: string): Promise<SeededCompany> {
  const client = new pg.Client(database);
  await client.connect();
  try {
    const customers = generateCustomers(SEED, CUSTOMER_COUNT);
    await insertCustomers(client, companyId, customers);
    const { rows } = await client.query<{ id: string }>('select id from staff_members where company_id = $1', [companyId]);
    const staffId = rows[0]?.id ?? '';
    const categoryIds = CATEGORY_NAMES.map(() => randomUUID());
    const categories = CATEGORY_NAMES.map((name, index) => ({ company_id: companyId, id: categoryIds[index], name }));
    await insertRows(client, 'categories', categories);
    const jobs = generateJobs(SEED, JOB_COUNT, customers);
    await insertJobs(client, companyId, jobs, { staffId, categoryIds });
    await insertTasks(client, companyId, generateTasks(SEED, TASK_COUNT), staffId);
    const quotes = generateQuotes(SEED, QUOTE_COUNT, customers);
    await insertQuotes(client, companyId, quotes);
    const invoices = generateInvoices(SEED, jobs, customers);
    await insertInvoices(client, companyId, invoices);
    for (let other = 1; other <= OTHER_COMPANY_COUNT; other += 1) {
      const id = randomUUID();
      await client.query('insert into companies (company_id, company_name, onboarding_completed) values ($1, $2, true)', [
        id,
        `Firm ${other}`,
      ]);
      const otherCustomers = generateCustomers(SEED + other, CUSTOMERS_PER_OTHER_COMPANY);
      await insertCustomers(client, id, otherCustomers);
      const otherJobs = generateJobs(SEED + other, JOBS_PER_OTHER_COMPANY, otherCustomers);
      await insertJobs(client, id, otherJobs, { staffId: null, categoryIds: [] });
      await insertTasks(client, id, generateTasks(SEED + other, TASKS_PER_OTHER_COMPANY), null);
      await insertQuotes(client, id, generateQuotes(SEED + other, QUOTES_PER_OTHER_COMPANY, otherCustomers));
      await insertInvoices(client, id, generateInvoices(SEED + other, otherJobs, otherCustomers));
    }
    // Gather statistics and merge the search index, as on a server in use. No background work is then left to disturb the measurements.
    await client.query('vacuum (freeze, analyze)');
    await client.query('checkpoint');
    return { customers, jobs, quotes, invoices, staffId, categoryIds };
  } finally {
    await client.end();
  }
}

async function insertRows(client: pg.Client, table: string, rows: readonly object[]): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH_SIZE) {
    const batch = rows.slice(start, start + BATCH_SIZE);
    const columns = Object.keys(batch[0] ?? {}).join(', ');
    await client.query(`insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1)`, [
      JSON.stringify(batch),
    ]);
  }
}

function insertCustomers(client: pg.Client, companyId: string, customers: readonly GeneratedCustomer[]): Promise<void> {
  const rows = customers.map((customer) => ({
    company_id: companyId,
    updated_at: customer.last_interaction ?? customer.created_at,
    version: 1,
    ...toStoredCustomer(customer),
  }));
  return insertRows(client, 'customers', rows);
}

interface JobReferences {
  readonly staffId: string | null;
  readonly categoryIds: readonly string[];
}

async function insertJobs(
  client: pg.Client,
  companyId: string,
  jobs: readonly GeneratedJob[],
  { staffId, categoryIds }: JobReferences,
): Promise<void> {
  const company = { company_id: companyId };
  const rows = jobs.map(({ lines: _lines, entries: _entries, ...job }) => ({
    ...company,
    ...job,
    ...buildJobSearchKeys(job, job.job_number),
    staff_id: staffId,
    updated_at: job.created_at,
    version: 1,
  }));
  await insertRows(client, 'jobs', rows);
  await insertRows(
    client,
    'job_categories',
    jobs.flatMap(({ id }, index) => {
      const category_id = categoryIds[index % categoryIds.length];
      return category_id === undefined ? [] : [{ ...company, job_id: id, category_id, position: 0 }];
    }),
  );
  await insertRows(
    client,
    'job_items',
    jobs.flatMap(({ lines, created_at }) => lines.map((line) => ({ ...company, ...line, created_at, version: 1 }))),
  );
  await insertRows(
    client,
    'time_entries',
    jobs.flatMap(({ entries }) => entries.map((entry) => ({ ...company, ...entry, staff_id: staffId, version: 1 }))),
  );
}

function insertTasks(client: pg.Client, companyId: string, tasks: readonly GeneratedTask[], staffId: string | null): Promise<void> {
  const rows = tasks.map((task) => ({
    company_id: companyId,
    ...task,
    staff_id: staffId,
    updated_at: task.completed_at ?? task.created_at,
    version: 1,
  }));
  return insertRows(client, 'tasks', rows);
}

async function insertQuotes(client: pg.Client, companyId: string, quotes: readonly GeneratedQuote[]): Promise<void> {
  const company = { company_id: companyId };
  const rows = quotes.map(({ sections: _sections, token: _token, ...quote }) => ({
    ...company,
    ...quote,
    ...buildQuoteSearchKeys(quote, quote.quote_number),
    tax_rate: GST_RATE,
    accepted_option_ids: '{}',
    updated_at: quote.created_at,
    version: 1,
  }));
  await insertRows(client, 'quotes', rows);
  const sections = quotes.flatMap((quote) => quote.sections.map((section, position) => ({ ...section, quote_id: quote.id, position })));
  await insertRows(
    client,
    'quote_sections',
    sections.map(({ items: _items, ...section }) => ({ ...company, ...section })),
  );
  await insertRows(
    client,
    'quote_items',
    sections.flatMap(({ id, quote_id, items }) =>
      items.map((item, position) => ({ ...company, ...item, quote_id, section_id: id, position })),
    ),
  );
  await insertRows(
    client,
    'public_links',
    quotes.map(({ id, token, created_at }) => ({ ...company, id: randomUUID(), token, record_kind: 'quote', record_id: id, created_at })),
  );
}

/** Inserts the invoices with their public links and payments. A trigger adds up the payments. */
async function insertInvoices(client: pg.Client, companyId: string, invoices: readonly GeneratedInvoice[]): Promise<void> {
  const company = { company_id: companyId };
  await insertRows(
    client,
    'invoices',
    invoices.map(({ row }) => ({ ...company, ...row })),
  );
  const updateBilledAmounts =
    'update jobs j set billed_amount = i.total_amount from invoices i where i.company_id = $1 and j.company_id = $1 and j.id = i.job_id';
  await client.query(updateBilledAmounts, [companyId]);
  const paid = invoices.filter(({ isPaid }) => isPaid);
  await insertRows(
    client,
    'payments',
    paid.map(({ paymentId, row }) => ({
      ...company,
      id: paymentId,
      job_id: row.job_id,
      amount: row.total_amount,
      paid_on: row.due_on,
      method: 'bank_transfer',
      recorded_by: row.created_by,
      recorded_at: row.created_at,
    })),
  );
  const link = { ...company, record_kind: 'invoice' };
  await insertRows(
    client,
    'public_links',
    invoices.map(({ token, row }) => ({ ...link, id: randomUUID(), token, record_id: row.job_id, created_at: row.created_at })),
  );
}
