import { randomUUID } from 'node:crypto';
import type { NewCustomer } from '@callout/contract/customers';
import type { NewJob } from '@callout/contract/jobs';
import type { GeneratedCustomer } from './customers.ts';
import { NEW_JOB_DETAILS } from './jobs.ts';
import {
  buildAttachmentPaths,
  buildCalendarPaths,
  buildCommentPaths,
  buildDashboardMonthPaths,
  buildJobSearchPaths,
  buildListPath,
  buildPriceListPaths,
  buildRareSearchPaths,
  buildTimeSheetPaths,
  listLaterPagePaths,
  RECORD_SAMPLE_SIZE,
  sampleEvenly,
  sampleRecordPaths,
} from './request-paths.ts';
import type { SeededCompany } from './seed-database.ts';
import type { RecordableRequest, RecordRequest, SqlStatement } from './sql-recorder.ts';

/** Placeholder for a new record's id. Each request replaces it with a new UUID. */
export const NEW_ID = '00000000-0000-7000-8000-000000000000';

/** One request in a scenario, with the SQL that the server runs for it. */
export interface RequestVariant extends RecordableRequest {
  readonly statements: readonly SqlStatement[];
  /** Values that the server generated and that must be unique, such as job numbers. Each baseline request replaces them with new ones. */
  readonly uniqueValues?: readonly string[];
  /** The response of a public page, which the baselines return after the same statements. Other baselines return the rows. */
  readonly response?: string;
}

export interface Scenario {
  readonly key: ScenarioKey;
  readonly title: string;
  readonly method: 'GET' | 'POST';
  readonly status: number;
  readonly encoding?: 'br';
  readonly variants: readonly RequestVariant[];
  /** Columns that the server returns exactly as stored. If undefined, all columns are. */
  readonly storedColumns?: readonly string[];
  /** True for pages that customers open without signing in. */
  readonly isPublic?: boolean;
  /** SQL that runs before each load, to delete the records that earlier loads created. */
  readonly reset?: string;
}

const NEW_JOB_TITLE = 'Newly booked';
const NEW_JOB_CUSTOMER_COUNT = 50;
/** More quotes than one load can accept. Accepting a quote twice would measure only a cheap read. */
const ACCEPTED_QUOTE_COUNT = 2000;

/** Public pages are rate limited per link. Without this, a load would exceed the limit. */
const CLEAR_RATE_LIMITS_SQL = 'delete from rate_limits';

/** The limit for a search doesn't know which text matched. */
const FOUND_COLUMNS = ['id', 'name', 'email', 'phone', 'address'];

/** The reads, which `--large` measures in both databases. */
const READS = [
  { key: 'list', title: 'list, first page', getPaths: () => [buildListPath({})] },
  { key: 'packed', title: 'list, first page, brotli', getPaths: () => [buildListPath({})], encoding: 'br' },
  { key: 'page', title: 'list, later pages', getPaths: (_: SeededCompany, record: RecordRequest) => listLaterPagePaths(record) },
  { key: 'common', title: 'search, common word', getPaths: () => [buildListPath({ search: 'smith' })], storedColumns: FOUND_COLUMNS },
  { key: 'rare', title: 'search, rare words', getPaths: buildRareSearchPaths, storedColumns: FOUND_COLUMNS },
  { key: 'letter', title: 'search, one letter', getPaths: () => [buildListPath({ search: 'a' })], storedColumns: FOUND_COLUMNS },
  { key: 'one', title: 'one customer', getPaths: sampleRecordPaths('customers') },
  { key: 'attachments', title: 'files of a customer', getPaths: buildAttachmentPaths, storedColumns: [] },
  { key: 'jobs', title: 'jobs, first page', getPaths: () => ['/api/jobs'] },
  { key: 'findJobs', title: 'jobs, search', getPaths: buildJobSearchPaths, storedColumns: ['id', 'title'] },
  {
    key: 'findCommonJobs',
    title: 'jobs, search, common word',
    getPaths: () => ['/api/jobs?search=repair'],
    storedColumns: ['id', 'title'],
  },
  { key: 'findJobsByLetter', title: 'jobs, search, one letter', getPaths: () => ['/api/jobs?search=r'], storedColumns: ['id', 'title'] },
  { key: 'countJobs', title: 'jobs, count', getPaths: () => ['/api/jobs/count'], storedColumns: [] },
  {
    key: 'job',
    title: 'one job',
    getPaths: sampleRecordPaths('jobs'),
    storedColumns: ['id', 'job_number', 'title', 'description', 'status', 'address', 'duration', 'version'],
  },
  { key: 'comments', title: 'comments of a job', getPaths: buildCommentPaths, storedColumns: [] },
  { key: 'board', title: 'board, 5,000 open jobs', getPaths: () => ['/api/board'], storedColumns: [] },
  { key: 'calendar', title: 'calendar, a week', getPaths: buildCalendarPaths, storedColumns: [] },
  { key: 'timeSheet', title: 'time sheet, a week', getPaths: buildTimeSheetPaths, storedColumns: [] },
  { key: 'tasks', title: 'tasks, first page', getPaths: () => ['/api/tasks'], storedColumns: [] },
  { key: 'notifications', title: 'notifications', getPaths: () => ['/api/notifications'], storedColumns: [] },
  { key: 'dashboardCounts', title: 'dashboard, counts', getPaths: () => ['/api/dashboard/counts'], storedColumns: [] },
  { key: 'dashboardMonth', title: 'dashboard, a month', getPaths: buildDashboardMonthPaths, storedColumns: [] },
  {
    key: 'dashboardCategories',
    title: 'dashboard, categories, all time',
    getPaths: () => ['/api/dashboard/categories'],
    storedColumns: [],
  },
  { key: 'dashboardJobs', title: 'dashboard, recent jobs, all time', getPaths: () => ['/api/dashboard/jobs'], storedColumns: [] },
  { key: 'dashboardMoney', title: 'dashboard, money', getPaths: () => ['/api/dashboard/money'], storedColumns: [] },
  { key: 'priceList', title: 'price list, first page', getPaths: buildPriceListPaths, storedColumns: [] },
  { key: 'findItems', title: 'price list, search', getPaths: () => ['/api/items/search?search=boiler'], storedColumns: [] },
  { key: 'quotes', title: 'quotes, first page', getPaths: () => ['/api/quotes'], storedColumns: ['id', 'title'] },
  { key: 'findQuotes', title: 'quotes, search', getPaths: () => ['/api/quotes?search=macerator+flat'], storedColumns: ['id', 'title'] },
  {
    key: 'quote',
    title: 'one quote',
    getPaths: sampleRecordPaths('quotes'),
    storedColumns: ['id', 'quote_number', 'title', 'total_amount', 'version'],
  },
  {
    key: 'publicQuote',
    title: 'public quote page',
    getPaths: ({ quotes }: SeededCompany) => sampleEvenly(quotes, RECORD_SAMPLE_SIZE).map(({ token }) => `/api/public/quotes/${token}`),
    storedColumns: [],
    isPublic: true,
    reset: CLEAR_RATE_LIMITS_SQL,
  },
  {
    key: 'invoices',
    title: 'invoices, first page',
    getPaths: () => ['/api/invoices'],
    storedColumns: ['id', 'invoice_number', 'title', 'total_amount', 'balance'],
  },
  { key: 'findInvoices', title: 'invoices, search', getPaths: () => ['/api/invoices?search=smith'], storedColumns: ['id'] },
  { key: 'invoiceSums', title: 'invoices, sums', getPaths: () => ['/api/invoices/summary'], storedColumns: [] },
  { key: 'payments', title: 'payments, first page', getPaths: () => ['/api/payments'], storedColumns: ['id'] },
  { key: 'debtors', title: 'debtors', getPaths: () => ['/api/invoices/debtors'], storedColumns: [] },
  {
    key: 'publicInvoice',
    title: 'public invoice page',
    getPaths: ({ invoices }: SeededCompany) =>
      sampleEvenly(invoices, RECORD_SAMPLE_SIZE).map(({ token }) => `/api/public/invoices/${token}`),
    storedColumns: [],
    isPublic: true,
    reset: CLEAR_RATE_LIMITS_SQL,
  },
] as const satisfies readonly (Pick<Scenario, 'title' | 'encoding' | 'storedColumns' | 'isPublic' | 'reset'> & {
  readonly key: string;
  readonly getPaths: (company: SeededCompany, record: RecordRequest) => readonly string[] | Promise<readonly string[]>;
})[];

const WRITE_KEYS = ['create', 'createJob', 'acceptQuote'] as const;
type ScenarioKey = (typeof READS)[number]['key'] | (typeof WRITE_KEYS)[number];
export const READ_KEYS: readonly ScenarioKey[] = READS.map(({ key }) => key);
export const SCENARIO_KEYS: readonly ScenarioKey[] = [...READ_KEYS, ...WRITE_KEYS];

/** Records the chosen scenarios and returns them in the order in which they are measured. */
export async function recordScenarios(
  record: RecordRequest,
  company: SeededCompany,
  isChosen: (key: ScenarioKey) => boolean,
): Promise<Scenario[]> {
  const scenarios: Scenario[] = [];
  for (const { getPaths, ...read } of READS) {
    if (!isChosen(read.key)) continue;
    const paths = await getPaths(company, record);
    const variants = 'isPublic' in read ? await recordPublicVariants(record, paths) : await recordVariants(record, paths);
    scenarios.push({ ...read, method: 'GET', status: 200, variants });
  }
  const writes: readonly (Pick<Scenario, 'title' | 'status' | 'reset'> & {
    key: ScenarioKey;
    recordAll: () => Promise<readonly RequestVariant[]>;
  })[] = [
    { key: 'create', title: 'create', status: 201, recordAll: async () => [await recordCreate(record, company.customers)] },
    // There are only 9,999 job numbers per month, so each load must start again at the first.
    { key: 'createJob', title: 'create job', status: 201, reset: DELETE_NEW_JOBS_SQL, recordAll: () => recordCreateJobs(record, company) },
    {
      key: 'acceptQuote',
      title: 'accept quote',
      status: 200,
      reset: `${DELETE_NEW_JOBS_SQL}; ${CLEAR_RATE_LIMITS_SQL}`,
      recordAll: () => recordAcceptances(record, company),
    },
  ];
  for (const { recordAll, ...write } of writes) {
    if (isChosen(write.key)) scenarios.push({ ...write, method: 'POST', variants: await recordAll() });
  }
  return scenarios;
}

async function recordVariants(record: RecordRequest, paths: readonly string[]): Promise<RequestVariant[]> {
  const variants: RequestVariant[] = [];
  for (const path of paths) variants.push(await recordVariant(record, { method: 'GET', path }, 200));
  return variants;
}

/** Records the second response, because an unchanged public page is answered from memory: the baseline does the same. */
async function recordPublicVariants(record: RecordRequest, paths: readonly string[]): Promise<RequestVariant[]> {
  const variants: RequestVariant[] = [];
  for (const path of paths) {
    await record({ method: 'GET', path, isPublic: true });
    const { status, statements, body } = await record({ method: 'GET', path, isPublic: true });
    if (status !== 200 || statements.length === 0) throw new Error(`${path} returned ${status} after ${statements.length} statements`);
    variants.push({ method: 'GET', path, statements, response: JSON.stringify(body) });
  }
  return variants;
}

async function recordVariant(record: RecordRequest, request: RecordableRequest, status: number): Promise<RequestVariant> {
  const call = await record(request);
  if (call.status !== status) throw new Error(`${request.path} returned ${call.status}: ${JSON.stringify(call.body)}`);
  if (call.statements.length === 0) throw new Error(`${request.path} ran no SQL`);
  const isSearch = /[?&]search=/.test(request.path);
  return { ...request, statements: isSearch ? [await buildSearchLimit(record, request.path, call.body)] : call.statements };
}

/** Builds the limit for a search: reads the rows of its page by their ids. A statement that has to find them first can't be faster. */
async function buildSearchLimit(record: RecordRequest, path: string, page: unknown): Promise<SqlStatement> {
  const { statements } = await record({ method: 'GET', path: path.replace(/search=[^&]*/, '') });
  const list = statements.find(({ text }) => text.includes(' limit '));
  if (!list) throw new Error(`${path} ran no statement for a page`);
  const ids = (page as { rows: { id: string }[] }).rows.map(({ id }) => id);
  const position = `$${list.values.length + 1}::uuid[]`;
  const [, table = ''] = /("\w+")\."company_id" = \$\d+/.exec(list.text) ?? [];
  const [from, limit] = [list.text.slice(0, list.text.lastIndexOf('order by')), list.text.slice(list.text.lastIndexOf('limit'))];
  const text = `${from} and ${table}."id" = any(${position}) order by array_position(${position}, ${table}."id") ${limit}`;
  return { name: `rows of ${path.replace(/\?.*/, '')}`, text, values: [...list.values, ids] };
}

async function recordCreate(record: RecordRequest, [sample]: readonly GeneratedCustomer[]): Promise<RequestVariant> {
  if (!sample) throw new Error('There is no customer to copy');
  const { created_at: _, last_interaction: __, ...fields } = sample;
  const body: NewCustomer = { ...fields, id: NEW_ID, name: 'Newly Arrived' };
  return recordVariant(record, { method: 'POST', path: '/api/customers', body }, 201);
}

/** Records new jobs for several customers, because creating two jobs for the same customer at once waits for a lock. */
async function recordCreateJobs(record: RecordRequest, company: SeededCompany): Promise<RequestVariant[]> {
  const variants: RequestVariant[] = [];
  for (const { id } of sampleEvenly(company.customers, NEW_JOB_CUSTOMER_COUNT)) variants.push(await recordCreateJob(record, company, id));
  return variants;
}

async function recordCreateJob(
  record: RecordRequest,
  { staffId, categoryIds }: SeededCompany,
  customerId: string,
): Promise<RequestVariant> {
  const body: NewJob = {
    id: NEW_ID,
    customer_id: customerId,
    title: NEW_JOB_TITLE,
    ...NEW_JOB_DETAILS,
    category_ids: categoryIds.slice(0, 2),
    staff_id: staffId,
    booking_date: '2030-03-04T20:00:00.000Z',
  };
  const send = (id: string) => recordVariant(record, { method: 'POST', path: '/api/jobs', body: { ...body, id } }, 201);
  const firstCall = await send(randomUUID());
  const call = { ...(await send(randomUUID())), body };
  const values = new Set(firstCall.statements.flatMap((statement) => statement.values));
  const generated = call.statements.flatMap((statement) => statement.values).filter((value) => !values.has(value));
  return { ...call, uniqueValues: generated.filter((value) => typeof value === 'string' && GENERATED_VALUE.test(value)).map(String) };
}

/** Records the acceptance of open quotes. Values that are neither in the quote nor in another call were generated for this call. */
async function recordAcceptances(record: RecordRequest, { quotes }: SeededCompany): Promise<RequestVariant[]> {
  const open = quotes.filter(({ status, valid_until }) => status === 'sent' && valid_until === null);
  const calls: { call: RequestVariant; known: string }[] = [];
  for (const quote of sampleEvenly(open, ACCEPTED_QUOTE_COUNT)) {
    const request = { method: 'POST', path: `/api/quotes/${quote.id}/accept`, body: { version: 1, selected_option_ids: [] } } as const;
    calls.push({ call: await recordVariant(record, request, 200), known: JSON.stringify(quote) });
  }
  const shared = new Set(calls[0]?.call.statements.flatMap((statement) => statement.values));
  const sharedByTwo = calls[1]?.call.statements.flatMap((statement) => statement.values).filter((value) => shared.has(value)) ?? [];
  return calls.map(({ call, known }) => {
    const values = new Set(call.statements.flatMap((statement) => statement.values).filter((value) => typeof value === 'string'));
    const generated = [...values].filter((value) => GENERATED_VALUE.test(value) && !known.includes(value) && !sharedByTwo.includes(value));
    return { ...call, uniqueValues: generated };
  });
}

/**
 * Deletes the new jobs with their links, reopens the accepted quotes and resets the counters, so that job numbers start again at the first.
 * Both scenarios that create jobs need all of it: a number that a job of the other scenario still has can't be taken again.
 */
const DELETE_NEW_JOBS_SQL = `delete from quote_acceptances; delete from jobs where quote_id is not null or title = '${NEW_JOB_TITLE}';
  delete from public_links l where record_kind = 'invoice' and not exists (select from jobs j where j.id = l.record_id);
  delete from job_counters;
  update quotes set status = 'sent', accepted_option_ids = '{}', selected_option_id = null, version = 1
    where status = 'accepted' and valid_until is null`;

/** A UUID, a job number or the token of a public link. */
const GENERATED_VALUE = /^([\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|J\d{8}|[\w-]{22})$/;
