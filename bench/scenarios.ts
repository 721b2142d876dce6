import type { CustomerPage, NewCustomer } from '@callout/contract/customers';
import type { GeneratedCustomer } from './customers.ts';
import type { RecordableRequest, RecordRequest, Statement } from './recorded-statements.ts';

/** Placeholder for the id of a new customer: each request sent replaces it with a new id. */
export const NEW_ID = '00000000-0000-7000-8000-000000000000';

/** One of the requests of a scenario, and the SQL that the product runs for it. */
export interface Variant extends RecordableRequest {
  readonly statements: readonly Statement[];
}

export interface Scenario {
  readonly key: ScenarioKey;
  readonly title: string;
  readonly method: 'GET' | 'POST';
  readonly status: number;
  /** The value of accept-encoding. */
  readonly encoding?: 'br';
  readonly variants: readonly Variant[];
}

const COMMON_WORD = 'smith';
const MAX_RARE_WORDS = 20;
const MAX_PAGES = 20;
const OPENED_CUSTOMERS = 200;

export const SCENARIO_KEYS = ['list', 'packed', 'page', 'common', 'rare', 'one', 'create'] as const;
type ScenarioKey = (typeof SCENARIO_KEYS)[number];

/** In the order of measurement: scenarios that change data come last. */
export async function recordScenarios(record: RecordRequest, customers: readonly GeneratedCustomer[]): Promise<Scenario[]> {
  const first = await recordVariants(record, [listPath({})]);
  const opened = customers.filter((_, index) => index % (customers.length / OPENED_CUSTOMERS) === 0);
  const rare = rareSurnames(customers).map((search) => listPath({ search }));
  const one = opened.map(({ id }) => `/api/customers/${id}`);
  return [
    { ...getScenario('list', 'list, first page'), variants: first },
    { ...getScenario('packed', 'list, first page, brotli'), variants: first, encoding: 'br' },
    { ...getScenario('page', 'list, later pages'), variants: await recordVariants(record, await findLaterPages(record)) },
    { ...getScenario('common', 'search, common word'), variants: await recordVariants(record, [listPath({ search: COMMON_WORD })]) },
    { ...getScenario('rare', 'search, rare words'), variants: await recordVariants(record, rare) },
    { ...getScenario('one', 'one customer'), variants: await recordVariants(record, one) },
    { key: 'create', title: 'create', method: 'POST', status: 201, variants: [await recordCreate(record, customers)] },
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

/** Surnames that three customers have at most. */
function rareSurnames(customers: readonly GeneratedCustomer[]): string[] {
  const customersBySurname = Map.groupBy(customers, ({ name }) => name.split(' ').at(-1) ?? '');
  const rare = [...customersBySurname].filter(([surname, { length }]) => length <= 3 && surname.length > 8).map(([surname]) => surname);
  return rare.toSorted().slice(0, MAX_RARE_WORDS);
}
