import { randomUUID } from 'node:crypto';
import type { CustomerPage, NewCustomer } from '@callout/contract/customers';
import type { NewJob } from '@callout/contract/jobs';
import type { GeneratedCustomer } from './customers.ts';
import type { FilledCompany } from './fill-database.ts';
import { calendarPaths, dashboardPaths } from './planning-paths.ts';
import type { RecordableRequest, RecordRequest, Statement } from './recorded-statements.ts';

/** Placeholder for the id of a new record: each request sent replaces it with a new id. */
export const NEW_ID = '00000000-0000-7000-8000-000000000000';

/** One of the requests of a scenario, and the SQL that the product runs for it. */
export interface Variant extends RecordableRequest {
  readonly statements: readonly Statement[];
  /** What the product made for this request and must be unique, such as a job's number: each bare request makes its own. */
  readonly unique?: readonly string[];
}

export interface Scenario {
  readonly key: ScenarioKey;
  readonly title: string;
  readonly method: 'GET' | 'POST';
  readonly status: number;
  /** The value of accept-encoding. */
  readonly encoding?: 'br';
  readonly variants: readonly Variant[];
  /** The columns that the product passes on as they are stored; all without it. */
  readonly storedColumns?: readonly string[];
  /** Run before each load: takes back what earlier ones have created. */
  readonly reset?: string;
}

const COMMON_WORD = 'smith';
const MAX_RARE_WORDS = 20;
const MAX_PAGES = 20;
const OPENED_RECORDS = 200;
const JOB_SEARCHES = ['cylinder', 'radiator upstairs', 'macerator flat', 'J2404', 'gas hob'];
const NEW_JOB_TITLE = 'Newly booked';
const CUSTOMERS_WITH_NEW_JOBS = 50;
/** More than one load accepts: the second acceptance of a quote is a cheap read. */
const ACCEPTED_QUOTES = 2000;

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

/** In the order of measurement: scenarios that change data come last. */
export async function recordScenarios(record: RecordRequest, company: FilledCompany): Promise<Scenario[]> {
  const { customers, jobs, quotes, invoices } = company;
  const first = await recordVariants(record, [listPath({})]);
  const rare = rareSurnames(customers).map((search) => listPath({ search }));
  const one = every(customers, OPENED_RECORDS).map(({ id }) => `/api/customers/${id}`);
  return [
    { ...getScenario('list', 'list, first page'), variants: first },
    { ...getScenario('packed', 'list, first page, brotli'), variants: first, encoding: 'br' },
    { ...getScenario('page', 'list, later pages'), variants: await recordVariants(record, await findLaterPages(record)) },
    { ...getScenario('common', 'search, common word'), variants: await recordVariants(record, [listPath({ search: COMMON_WORD })]) },
    { ...getScenario('rare', 'search, rare words'), variants: await recordVariants(record, rare) },
    { ...getScenario('one', 'one customer'), variants: await recordVariants(record, one) },
    { key: 'create', title: 'create', method: 'POST', status: 201, variants: [await recordCreate(record, customers)] },
    { ...getScenario('jobs', 'jobs, first page'), variants: await recordVariants(record, ['/api/jobs']) },
    {
      ...getScenario('findJobs', 'jobs, search'),
      variants: await recordVariants(
        record,
        JOB_SEARCHES.map((search) => `/api/jobs?${new URLSearchParams({ search })}`),
      ),
    },
    {
      ...getScenario('job', 'one job'),
      variants: await recordVariants(
        record,
        every(jobs, OPENED_RECORDS).map(({ id }) => `/api/jobs/${id}`),
      ),
      storedColumns: ['id', 'job_number', 'title', 'description', 'status', 'address', 'duration', 'version'],
    },
    {
      key: 'createJob',
      title: 'create job',
      method: 'POST',
      status: 201,
      variants: await recordCreateJobs(record, company),
      // A month has 9,999 numbers.
      reset: FORGET_NEW_JOBS,
    },
    {
      ...getScenario('board', 'board, 5,000 open jobs'),
      variants: await recordVariants(record, ['/api/board']),
      storedColumns: [],
    },
    {
      ...getScenario('calendar', 'calendar, a week'),
      variants: await recordVariants(record, calendarPaths(company)),
      storedColumns: [],
    },
    {
      ...getScenario('dashboard', 'dashboard, each of its calls'),
      variants: await recordVariants(record, dashboardPaths(company)),
      storedColumns: [],
    },
    {
      ...getScenario('quotes', 'quotes, first page'),
      variants: await recordVariants(record, ['/api/quotes']),
      storedColumns: ['id', 'title'],
    },
    {
      ...getScenario('quote', 'one quote'),
      variants: await recordVariants(
        record,
        every(quotes, OPENED_RECORDS).map(({ id }) => `/api/quotes/${id}`),
      ),
      storedColumns: ['id', 'quote_number', 'title', 'total_amount', 'version'],
    },
    {
      ...getScenario('publicQuote', 'public quote page'),
      variants: await recordVariants(
        record,
        every(quotes, OPENED_RECORDS).map(({ token }) => `/api/public/quotes/${token}`),
      ),
      storedColumns: [],
      reset: FORGET_ATTEMPTS,
    },
    {
      ...getScenario('invoices', 'invoices, first page'),
      variants: await recordVariants(record, ['/api/invoices']),
      storedColumns: ['id', 'invoice_number', 'title', 'total_amount', 'balance'],
    },
    {
      ...getScenario('publicInvoice', 'public invoice page'),
      variants: await recordVariants(
        record,
        every(invoices, OPENED_RECORDS).map(({ token }) => `/api/public/invoices/${token}`),
      ),
      storedColumns: [],
      reset: FORGET_ATTEMPTS,
    },
    {
      key: 'acceptQuote',
      title: 'accept quote',
      method: 'POST',
      status: 200,
      variants: await recordAcceptances(record, company),
      reset: `delete from quote_acceptances; delete from jobs where quote_id is not null; ${FORGET_NEW_JOBS};
        update quotes set status = 'sent', accepted_option_ids = '{}', selected_option_id = null, version = 1
          where status = 'accepted' and valid_until is null; ${FORGET_ATTEMPTS}`,
    },
  ];
}

const getScenario = (key: ScenarioKey, title: string) => ({ key, title, method: 'GET', status: 200 }) as const;

function listPath(filter: { search?: string; cursor?: string }): string {
  return `/api/customers?${new URLSearchParams({ sort: 'name', order: 'asc', ...filter })}`;
}

async function recordVariants(record: RecordRequest, paths: readonly string[]): Promise<Variant[]> {
  const variants: Variant[] = [];
  for (const path of paths) variants.push(await recordVariant(record, { method: 'GET', path }, 200));
  return variants;
}

async function recordVariant(record: RecordRequest, request: RecordableRequest, status: number): Promise<Variant> {
  const call = await record(request);
  if (call.status !== status) throw new Error(`${request.path} answered ${call.status}: ${JSON.stringify(call.answer)}`);
  if (call.statements.length === 0) throw new Error(`${request.path} ran no SQL`);
  return { ...request, statements: call.statements };
}

/** The pages that a user loads by scrolling down. */
async function findLaterPages(record: RecordRequest): Promise<string[]> {
  const paths: string[] = [];
  let path = listPath({});
  while (paths.length < MAX_PAGES) {
    const { answer } = await record({ method: 'GET', path });
    const { next_cursor: cursor } = answer as CustomerPage;
    if (cursor === null) break;
    path = listPath({ cursor });
    paths.push(path);
  }
  return paths;
}

async function recordCreate(record: RecordRequest, [sample]: readonly GeneratedCustomer[]): Promise<Variant> {
  if (!sample) throw new Error('There is no customer to copy');
  const { created_at: _, last_interaction: __, ...fields } = sample;
  const body: NewCustomer = { ...fields, id: NEW_ID, name: 'Newly Arrived' };
  return recordVariant(record, { method: 'POST', path: '/api/customers', body }, 201);
}

/** For several customers, because two jobs of the same one wait for each other. */
async function recordCreateJobs(record: RecordRequest, company: FilledCompany): Promise<Variant[]> {
  const variants: Variant[] = [];
  for (const { id } of every(company.customers, CUSTOMERS_WITH_NEW_JOBS)) variants.push(await recordCreateJob(record, company, id));
  return variants;
}

async function recordCreateJob(record: RecordRequest, { staffId, categoryIds }: FilledCompany, customerId: string): Promise<Variant> {
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
  };
  const send = (id: string) => recordVariant(record, { method: 'POST', path: '/api/jobs', body: { ...body, id } }, 201);
  const again = await send(randomUUID());
  const call = { ...(await send(randomUUID())), body };
  const values = new Set(again.statements.flatMap((statement) => statement.values));
  const made = call.statements.flatMap((statement) => statement.values).filter((value) => !values.has(value));
  return { ...call, unique: made.filter((value) => typeof value === 'string' && UNIQUE.test(value)).map(String) };
}

/** Of quotes that wait for an answer. What each call has made itself is found by comparing it with the quote and with other calls. */
async function recordAcceptances(record: RecordRequest, { quotes }: FilledCompany): Promise<Variant[]> {
  const open = quotes.filter(({ status, valid_until }) => status === 'sent' && valid_until === null);
  const calls: { call: Variant; known: string }[] = [];
  for (const quote of every(open, ACCEPTED_QUOTES)) {
    const request = { method: 'POST', path: `/api/quotes/${quote.id}/accept`, body: { selected_option_ids: [] } } as const;
    calls.push({ call: await recordVariant(record, request, 200), known: JSON.stringify(quote) });
  }
  const shared = new Set(calls[0]?.call.statements.flatMap((statement) => statement.values));
  const sharedByTwo = calls[1]?.call.statements.flatMap((statement) => statement.values).filter((value) => shared.has(value)) ?? [];
  return calls.map(({ call, known }) => {
    const values = new Set(call.statements.flatMap((statement) => statement.values).filter((value) => typeof value === 'string'));
    const made = [...values].filter((value) => UNIQUE.test(value) && !known.includes(value) && !sharedByTwo.includes(value));
    return { ...call, unique: made };
  });
}

/** With the counters, or their numbers would be taken. */
const FORGET_NEW_JOBS = `delete from jobs where title = '${NEW_JOB_TITLE}'; delete from job_counters`;

/** Public pages are limited per link. */
const FORGET_ATTEMPTS = 'delete from rate_limits';

/** Ids and job numbers. */
const UNIQUE = /^([\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|J\d{8})$/;

/** This many of them, evenly spread. */
function every<Value>(values: readonly Value[], count: number): Value[] {
  return values.filter((_, index) => index % (values.length / count) === 0);
}

/** Surnames that three customers have at most. */
function rareSurnames(customers: readonly GeneratedCustomer[]): string[] {
  const customersBySurname = Map.groupBy(customers, ({ name }) => name.split(' ').at(-1) ?? '');
  const rare = [...customersBySurname].filter(([surname, { length }]) => length <= 3 && surname.length > 8).map(([surname]) => surname);
  return rare.toSorted().slice(0, MAX_RARE_WORDS);
}
