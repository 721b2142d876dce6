import { randomUUID } from 'node:crypto';
import { calculateJobTotals } from '@callout/domain/jobs/job-price';
import pg from 'pg';
import { toStoredCustomer } from '../apps/server/src/features/customers/customers.sql.ts';
import { addUpCountChanges } from '../apps/server/src/features/dashboard/dashboard.sql.ts';
import { buildJobSearchKeys } from '../apps/server/src/features/jobs/save-job.sql.ts';
import { buildQuoteSearchKeys } from '../apps/server/src/features/quotes/quotes.sql.ts';
import { toStoredItem, toStoredSupplier } from '../apps/server/src/features/suppliers/suppliers.sql.ts';
import type { DatabaseConnection } from '../apps/server/src/platform/db/pools.ts';
import { type GeneratedCustomer, generateCustomers } from './customers.ts';
import { type GeneratedInvoice, generateInvoices } from './invoices.ts';
import { type GeneratedPriceList, generatePriceList } from './items.ts';
import { type GeneratedJob, generateJobs } from './jobs.ts';
import { addOlderRecords, copyCompany } from './multiply-records.ts';
import { type GeneratedQuote, GST_RATE, generateQuotes } from './quotes.ts';
import { type GeneratedTask, generateTasks } from './tasks.ts';

const SEED = 20_000;
const CATEGORY_NAMES = ['Bathrooms', 'Drains', 'Gas', 'Heating', 'Hot water', 'Maintenance'];
const CURRENCY = 'NZD';
const BATCH_SIZE = 1000;

export interface CompanySize {
  readonly customers: number;
  readonly jobs: number;
  readonly quotes: number;
  readonly tasks: number;
  readonly items: number;
}

const MEASURED_COMPANY: CompanySize = { customers: 20_000, jobs: 20_000, quotes: 20_000, tasks: 5000, items: 6000 };
/** Other companies' rows fill every table and index, so that the measurements include the cost of multi-tenancy. */
const OTHER_COMPANY_COUNT = 20;
const OTHER_COMPANY: CompanySize = { customers: 500, jobs: 500, quotes: 500, tasks: 100, items: 150 };
/** The company that the large database has 999 times. */
const MULTIPLIED_COMPANY: CompanySize = { customers: 200, jobs: 800, quotes: 200, tasks: 100, items: 240 };

/** Together with the multiplied and the measured company, there are 1,000. */
const COMPANY_COPY_COUNT = 998;

export type DatabaseSize = 'small' | 'large';

export interface SeededCompany {
  readonly customers: readonly GeneratedCustomer[];
  readonly jobs: readonly GeneratedJob[];
  readonly quotes: readonly GeneratedQuote[];
  /** One for every second job. */
  readonly invoices: readonly GeneratedInvoice[];
  readonly priceList: GeneratedPriceList;
  readonly staffId: string;
  readonly categoryIds: readonly string[];
}

/** Fills the database. The measured company has the same newest records at both sizes, so that the same requests work. */
export async function seedDatabase(database: DatabaseConnection, companyId: string, size: DatabaseSize): Promise<void> {
  await fillDatabase(database, async (client, dropAllIndexes) => {
    const { rows } = await client.query<StaffMember>(
      'select id as "staffId", profile_id as "userId" from staff_members where company_id = $1',
      [companyId],
    );
    await dropAllIndexes(TABLES_READ_BY_TRIGGERS);
    await insertCompanyRecords(client, companyId, SEED, MEASURED_COMPANY, rows[0]);
    const others = Array.from({ length: size === 'small' ? OTHER_COMPANY_COUNT : 1 }, () => randomUUID());
    for (const [index, id] of others.entries()) {
      await insertCompany(client, id, `Firm ${index + 1}`);
      await insertCompanyRecords(client, id, SEED + index + 1, size === 'small' ? OTHER_COMPANY : MULTIPLIED_COMPANY);
    }
    await addUpCountChanges(client);
    if (size === 'large') {
      await dropAllIndexes([]);
      await addOlderRecords(client, companyId);
      await copyCompany(client, others[0] ?? '', COMPANY_COPY_COUNT);
    }
  });
}

/** Triggers add up a job's payments, which is slow without the indexes of these tables. */
export const TABLES_READ_BY_TRIGGERS = ['payments', 'invoices'];

/** Runs `fill`, then creates the indexes that it dropped. */
export async function fillDatabase(
  database: DatabaseConnection,
  fill: (client: pg.Client, dropAllIndexes: (kept: readonly string[]) => Promise<void>) => Promise<void>,
): Promise<void> {
  const client = new pg.Client(database);
  await client.connect();
  try {
    const indexes: string[] = [];
    await fill(client, async (kept) => void indexes.push(...(await dropIndexes(client, kept))));
    for (const definition of indexes) await client.query(definition);
    // Gather statistics and merge the search index, as on a server in use. No background work is then left to disturb the measurements.
    await client.query('vacuum (freeze, analyze)');
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

export async function insertCompany(client: pg.Client, companyId: string, name: string): Promise<void> {
  await client.query('insert into companies (company_id, company_name, onboarding_completed) values ($1, $2, true)', [companyId, name]);
}

/**
 * Drops indexes and returns the statements that create them again, because building an index once is much faster than extending it row by
 * row. Keeps those of constraints and of the tables in `kept`.
 */
async function dropIndexes(client: pg.Client, kept: readonly string[]): Promise<string[]> {
  await client.query(`set synchronous_commit = off; set maintenance_work_mem = '512MB'`);
  const { rows } = await client.query<{ index: string; definition: string }>(
    `select i.indexrelid::regclass::text as index, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indrelid
     where c.relnamespace = 'public'::regnamespace and c.relname <> all ($1)
       and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`,
    [[...kept, 'rate_limits']],
  );
  for (const { index } of rows) await client.query(`drop index ${index}`);
  return rows.map(({ definition }) => definition);
}

/** Returns the records that `seedDatabase` has stored for the measured company. At the large size, these are the newest tenth. */
export async function readSeededCompany(database: DatabaseConnection, companyId: string): Promise<SeededCompany> {
  const client = new pg.Client(database);
  await client.connect();
  try {
    const listIds = async (table: string, order: string) => {
      const { rows } = await client.query<{ id: string }>(`select id from ${table} where company_id = $1 order by ${order}`, [companyId]);
      return rows.map(({ id }) => id);
    };
    const [staffId = ''] = await listIds('staff_members', 'created_at');
    return { ...generateRecords(SEED, MEASURED_COMPANY), staffId, categoryIds: await listIds('categories', 'name') };
  } finally {
    await client.end();
  }
}

function generateRecords(seed: number, size: CompanySize) {
  const customers = generateCustomers(seed, size.customers);
  const jobs = generateJobs(seed, size.jobs, customers);
  return {
    customers,
    jobs,
    tasks: generateTasks(seed, size.tasks),
    quotes: generateQuotes(seed, size.quotes, customers),
    invoices: generateInvoices(seed, jobs, customers),
    priceList: generatePriceList(seed, size.items),
  };
}

interface StaffMember {
  readonly staffId: string;
  readonly userId: string;
}

export async function insertCompanyRecords(client: pg.Client, companyId: string, seed: number, size: CompanySize, member?: StaffMember) {
  const { customers, jobs, tasks, quotes, invoices, priceList } = generateRecords(seed, size);
  await insertCustomers(client, companyId, customers);
  const categories = CATEGORY_NAMES.map((name) => ({ company_id: companyId, id: randomUUID(), name }));
  await insertRows(client, 'categories', categories);
  const staffId = member?.staffId ?? null;
  await insertJobs(client, companyId, jobs, { staffId, categoryIds: categories.map(({ id }) => id) });
  await insertTasks(client, companyId, tasks, staffId);
  await insertQuotes(client, companyId, quotes);
  await insertInvoices(client, companyId, invoices);
  await insertPriceList(client, companyId, priceList);
  await client.query(INSERT_COMMENTS, [companyId]);
  await client.query(INSERT_COMMENT_FILES, [companyId]);
  if (member) await client.query(INSERT_NOTIFICATIONS, [companyId, member.userId]);
}

/** One comment on every second job. */
const INSERT_COMMENTS = `insert into job_comments (company_id, id, job_id, staff_id, author_name, content, created_at)
  select company_id, gen_random_uuid(), id, staff_id, 'Office', 'Called the customer: ' || title, created_at from jobs
  where company_id = $1 and right(job_number, 1) in ('0', '2', '4', '6', '8')`;

/** A photo in every fifth comment. There are no bytes, because only lists are measured. */
const INSERT_COMMENT_FILES = `insert into files (company_id, id, file_name, file_size, file_type, purpose, owner_kind, owner_id, unattached_since, created_at)
  select c.company_id, gen_random_uuid(), 'Photo.jpg', 200000, 'image/jpeg', 'attachment', 'job_comment', c.id, null, c.created_at
  from job_comments c join jobs j on j.company_id = c.company_id and j.id = c.job_id where c.company_id = $1 and right(j.job_number, 1) = '0'`;

const INSERT_NOTIFICATIONS = `insert into notifications (company_id, id, user_id, message, type, read, data, created_at)
  select company_id, gen_random_uuid(), $2, 'You were assigned to ' || title, 'info', right(job_number, 2) <> '00',
    jsonb_build_object('job_id', id), created_at from jobs where company_id = $1 and right(job_number, 1) in ('1', '3')`;

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
  const rows = jobs.map(({ lines, entries: _entries, ...job }) => ({
    ...company,
    ...job,
    ...buildJobSearchKeys(job, job.job_number),
    ...calculateStoredTotals(job, lines),
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

function calculateStoredTotals(job: Omit<GeneratedJob, 'lines' | 'entries'>, lines: GeneratedJob['lines']) {
  const priced = lines.map((line) => ({ ...line, total: line.total_price }));
  return { ...calculateJobTotals(job, priced, GST_RATE), priced_rate: GST_RATE, currency: CURRENCY };
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

async function insertPriceList(client: pg.Client, companyId: string, { suppliers, items }: GeneratedPriceList): Promise<void> {
  const company = { company_id: companyId, ...PRICE_LIST_TIMES };
  await insertRows(
    client,
    'suppliers',
    suppliers.map((supplier) => ({ ...company, ...toStoredSupplier(supplier), status: 'active' })),
  );
  await insertRows(
    client,
    'supplier_items',
    items.map((item) => ({ ...company, ...toStoredItem(item) })),
  );
}

const PRICE_LIST_TIMES = { created_at: '2023-01-02T00:00:00.000Z', updated_at: '2023-01-02T00:00:00.000Z', version: 1 };

async function insertQuotes(client: pg.Client, companyId: string, quotes: readonly GeneratedQuote[]): Promise<void> {
  const company = { company_id: companyId };
  const rows = quotes.map(({ sections: _sections, token: _token, ...quote }) => ({
    ...company,
    ...quote,
    ...buildQuoteSearchKeys(quote, quote.quote_number),
    tax_rate: GST_RATE,
    currency: CURRENCY,
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
      customer_name: row.customer_name,
      customer_key: row.customer_key,
      search_text: row.search_text,
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
