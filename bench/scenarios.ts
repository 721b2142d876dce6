import { randomUUID } from 'node:crypto';
import type { CustomerPage, NewCustomer } from '@callout/contract/customers';
import type { NewJob } from '@callout/contract/jobs';
import type { GeneratedCustomer } from './customers.ts';
import { buildCalendarPaths, buildDashboardPaths } from './request-paths.ts';
import type { SeededCompany } from './seed-database.ts';
import type { RecordableRequest, RecordRequest, SqlStatement } from './sql-recorder.ts';

/** Placeholder for a new record's id. Each request replaces it with a new UUID. */
export const NEW_ID = '00000000-0000-7000-8000-000000000000';

/** One request in a scenario, with the SQL that the server runs for it. */
export interface RequestVariant extends RecordableRequest {
  readonly statements: readonly SqlStatement[];
  /** Values that the server generated and that must be unique, such as job numbers. Each baseline request replaces them with new ones. */
  readonly uniqueValues?: readonly string[];
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
  /** SQL that runs before each load, to delete the records that earlier loads created. */
  readonly reset?: string;
}

const COMMON_WORD = 'smith';
const MAX_RARE_WORDS = 20;
const MAX_PAGES = 20;
const RECORD_SAMPLE_SIZE = 200;
const JOB_SEARCHES = ['cylinder', 'radiator upstairs', 'macerator flat', 'J2404', 'gas hob'];
const NEW_JOB_TITLE = 'Newly booked';
const NEW_JOB_CUSTOMER_COUNT = 50;
/** More quotes than one load can accept. Accepting a quote twice would measure only a cheap read. */
const ACCEPTED_QUOTE_COUNT = 2000;

export const SCENARIO_KEYS = [
  'list',
  'packed',
  'page',
  'common',
  'rare',
  'one',
  'create',
  'jobs',
  'findJobs',
  'job',
  'createJob',
  'board',
  'calendar',
  'dashboard',
  'quotes',
  'quote',
  'publicQuote',
  'invoices',
  'publicInvoice',
  'acceptQuote',
] as const;
type ScenarioKey = (typeof SCENARIO_KEYS)[number];

/** Records the scenarios and returns them in the order in which they are measured. */
export async function recordScenarios(record: RecordRequest, company: SeededCompany): Promise<Scenario[]> {
  const { customers, jobs, quotes, invoices } = company;
  const first = await recordVariants(record, [buildListPath({})]);
  const rare = findRareSurnames(customers).map((search) => buildListPath({ search }));
  const one = sampleEvenly(customers, RECORD_SAMPLE_SIZE).map(({ id }) => `/api/customers/${id}`);
  return [
    { ...buildGetScenario('list', 'list, first page'), variants: first },
    { ...buildGetScenario('packed', 'list, first page, brotli'), variants: first, encoding: 'br' },
    { ...buildGetScenario('page', 'list, later pages'), variants: await recordVariants(record, await listLaterPagePaths(record)) },
    {
      ...buildGetScenario('common', 'search, common word'),
      variants: await recordVariants(record, [buildListPath({ search: COMMON_WORD })]),
    },
    { ...buildGetScenario('rare', 'search, rare words'), variants: await recordVariants(record, rare) },
    { ...buildGetScenario('one', 'one customer'), variants: await recordVariants(record, one) },
    { key: 'create', title: 'create', method: 'POST', status: 201, variants: [await recordCreate(record, customers)] },
    { ...buildGetScenario('jobs', 'jobs, first page'), variants: await recordVariants(record, ['/api/jobs']) },
    {
      ...buildGetScenario('findJobs', 'jobs, search'),
      variants: await recordVariants(
        record,
        JOB_SEARCHES.map((search) => `/api/jobs?${new URLSearchParams({ search })}`),
      ),
    },
    {
      ...buildGetScenario('job', 'one job'),
      variants: await recordVariants(
        record,
        sampleEvenly(jobs, RECORD_SAMPLE_SIZE).map(({ id }) => `/api/jobs/${id}`),
      ),
      storedColumns: ['id', 'job_number', 'title', 'description', 'status', 'address', 'duration', 'version'],
    },
    {
      key: 'createJob',
      title: 'create job',
      method: 'POST',
      status: 201,
      variants: await recordCreateJobs(record, company),
      // There are only 9,999 job numbers per month, so each load must start again at the first.
      reset: DELETE_NEW_JOBS_SQL,
    },
    {
      ...buildGetScenario('board', 'board, 5,000 open jobs'),
      variants: await recordVariants(record, ['/api/board']),
      storedColumns: [],
    },
    {
      ...buildGetScenario('calendar', 'calendar, a week'),
      variants: await recordVariants(record, buildCalendarPaths(company)),
      storedColumns: [],
    },
    {
      ...buildGetScenario('dashboard', 'dashboard, each of its calls'),
      variants: await recordVariants(record, buildDashboardPaths(company)),
      storedColumns: [],
    },
    {
      ...buildGetScenario('quotes', 'quotes, first page'),
      variants: await recordVariants(record, ['/api/quotes']),
      storedColumns: ['id', 'title'],
    },
    {
      ...buildGetScenario('quote', 'one quote'),
      variants: await recordVariants(
        record,
        sampleEvenly(quotes, RECORD_SAMPLE_SIZE).map(({ id }) => `/api/quotes/${id}`),
      ),
      storedColumns: ['id', 'quote_number', 'title', 'total_amount', 'version'],
    },
    {
      ...buildGetScenario('publicQuote', 'public quote page'),
      variants: await recordVariants(
        record,
        sampleEvenly(quotes, RECORD_SAMPLE_SIZE).map(({ token }) => `/api/public/quotes/${token}`),
      ),
      storedColumns: [],
      reset: CLEAR_RATE_LIMITS_SQL,
    },
    {
      ...buildGetScenario('invoices', 'invoices, first page'),
      variants: await recordVariants(record, ['/api/invoices']),
      storedColumns: ['id', 'invoice_number', 'title', 'total_amount', 'balance'],
    },
    {
      ...buildGetScenario('publicInvoice', 'public invoice page'),
      variants: await recordVariants(
        record,
        sampleEvenly(invoices, RECORD_SAMPLE_SIZE).map(({ token }) => `/api/public/invoices/${token}`),
      ),
      storedColumns: [],
      reset: CLEAR_RATE_LIMITS_SQL,
    },
    {
      key: 'acceptQuote',
      title: 'accept quote',
      method: 'POST',
      status: 200,
      variants: await recordAcceptances(record, company),
      reset: `${DELETE_NEW_JOBS_SQL}; ${CLEAR_RATE_LIMITS_SQL}`,
    },
  ];
}

const buildGetScenario = (key: ScenarioKey, title: string) => ({ key, title, method: 'GET', status: 200 }) as const;

function buildListPath(filter: { search?: string; cursor?: string }): string {
  return `/api/customers?${new URLSearchParams({ sort: 'name', order: 'asc', ...filter })}`;
}

async function recordVariants(record: RecordRequest, paths: readonly string[]): Promise<RequestVariant[]> {
  const variants: RequestVariant[] = [];
  for (const path of paths) variants.push(await recordVariant(record, { method: 'GET', path }, 200));
  return variants;
}

async function recordVariant(record: RecordRequest, request: RecordableRequest, status: number): Promise<RequestVariant> {
  const call = await record(request);
  if (call.status !== status) throw new Error(`${request.path} returned ${call.status}: ${JSON.stringify(call.body)}`);
  if (call.statements.length === 0) throw new Error(`${request.path} ran no SQL`);
  // The limit for a search is the statement that returns the page, without the sample and the better ranks that are read before it.
  const statements = /[?&]search=/.test(request.path) ? call.statements.slice(-1) : call.statements;
  return { ...request, statements };
}

/** Returns the paths of the second and later pages, which a user loads by scrolling down. */
async function listLaterPagePaths(record: RecordRequest): Promise<string[]> {
  const paths: string[] = [];
  let path = buildListPath({});
  while (paths.length < MAX_PAGES) {
    const { body } = await record({ method: 'GET', path });
    const { next_cursor: cursor } = body as CustomerPage;
    if (cursor === null) break;
    path = buildListPath({ cursor });
    paths.push(path);
  }
  return paths;
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
    description: 'Leaking from the base.',
    category_ids: categoryIds.slice(0, 2),
    staff_id: staffId,
    booking_date: '2030-03-04T20:00:00.000Z',
    duration: '2',
    use_alternate_address: false,
    address: null,
    status: 'pending',
    job_type: 'hourly',
    fixed_amount: null,
    hourly_rate: '95.00',
    hourly_rate_confirmed: false,
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

/** Public pages are rate limited per link. Without this, a load would exceed the limit. */
const CLEAR_RATE_LIMITS_SQL = 'delete from rate_limits';

/** A UUID, a job number or the token of a public link. */
const GENERATED_VALUE = /^([\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|J\d{8}|[\w-]{22})$/;

/** Picks `count` values, evenly spaced over the list. */
function sampleEvenly<Value>(values: readonly Value[], count: number): Value[] {
  return values.filter((_, index) => index % (values.length / count) === 0);
}

/** Returns surnames that no more than three customers share. */
function findRareSurnames(customers: readonly GeneratedCustomer[]): string[] {
  const customersBySurname = Map.groupBy(customers, ({ name }) => name.split(' ').at(-1) ?? '');
  const rare = [...customersBySurname].filter(([surname, { length }]) => length <= 3 && surname.length > 8).map(([surname]) => surname);
  return rare.toSorted().slice(0, MAX_RARE_WORDS);
}
