import type { CustomerPage, NewCustomer } from '@callout/contract/customers';
import type { GeneratedCustomer } from './customers.ts';
import type { Record, RecordableRequest, Statement } from './recorded-statements.ts';

/** Stands for the id of a new customer: whoever sends the request puts a fresh one in its place. */
export const NEW_ID = '00000000-0000-7000-8000-000000000000';

/** One of the requests a scenario goes through in turn, and the SQL that the product answers it with. */
export interface Variant extends RecordableRequest {
  readonly statements: readonly Statement[];
}

export interface Scenario {
  readonly key: ScenarioKey;
  readonly title: string;
  readonly method: 'GET' | 'POST';
  readonly status: number;
  /** What the client says it can unpack. */
  readonly encoding?: 'br';
  readonly variants: readonly Variant[];
}

const COMMON_WORD = 'smith';
const RARE_WORDS = 20;
const PAGES = 20;
const OPENED_CUSTOMERS = 200;

export const SCENARIO_KEYS = ['list', 'packed', 'page', 'common', 'rare', 'one', 'create'] as const;
type ScenarioKey = (typeof SCENARIO_KEYS)[number];

/** In the order they are measured: what changes the data comes last. */
export async function recordScenarios(record: Record, customers: readonly GeneratedCustomer[]): Promise<Scenario[]> {
  const first = await variantsOf(record, [listPath({})]);
  const opened = customers.filter((_, index) => index % (customers.length / OPENED_CUSTOMERS) === 0);
  const rare = rareSurnames(customers).map((search) => listPath({ search }));
  const one = opened.map(({ id }) => `/api/customers/${id}`);
  return [
    { ...reading('list', 'list, first page'), variants: first },
    { ...reading('packed', 'list, first page, brotli'), variants: first, encoding: 'br' },
    { ...reading('page', 'list, later pages'), variants: await variantsOf(record, await laterPages(record)) },
    { ...reading('common', 'search, common word'), variants: await variantsOf(record, [listPath({ search: COMMON_WORD })]) },
    { ...reading('rare', 'search, rare words'), variants: await variantsOf(record, rare) },
    { ...reading('one', 'one customer'), variants: await variantsOf(record, one) },
    { key: 'create', title: 'create', method: 'POST', status: 201, variants: [await createVariant(record, customers)] },
  ];
}

const reading = (key: ScenarioKey, title: string) => ({ key, title, method: 'GET', status: 200 }) as const;

function listPath(filter: { search?: string; cursor?: string }): string {
  return `/api/customers?${new URLSearchParams({ sort: 'name', order: 'asc', ...filter })}`;
}

async function variantsOf(record: Record, paths: readonly string[]): Promise<Variant[]> {
  const variants: Variant[] = [];
  for (const path of paths) variants.push(await variant(record, { method: 'GET', path }, 200));
  return variants;
}

async function variant(record: Record, request: RecordableRequest, status: number): Promise<Variant> {
  const call = await record(request);
  if (call.status !== status) throw new Error(`${request.path} answered ${call.status}: ${JSON.stringify(call.answer)}`);
  if (call.statements.length === 0) throw new Error(`${request.path} was answered without SQL`);
  return { ...request, statements: call.statements };
}

/** As somebody scrolls down. */
async function laterPages(record: Record): Promise<string[]> {
  const paths: string[] = [];
  let path = listPath({});
  while (paths.length < PAGES) {
    const { answer } = await record({ method: 'GET', path });
    const { next_cursor: cursor } = answer as CustomerPage;
    if (cursor === null) break;
    path = listPath({ cursor });
    paths.push(path);
  }
  return paths;
}

async function createVariant(record: Record, [sample]: readonly GeneratedCustomer[]): Promise<Variant> {
  if (!sample) throw new Error('There is no customer to take after');
  const { created_at: _, last_interaction: __, ...fields } = sample;
  const body: NewCustomer = { ...fields, id: NEW_ID, name: 'Newly Arrived' };
  return variant(record, { method: 'POST', path: '/api/customers', body }, 201);
}

/** Surnames that a handful bear at most. */
function rareSurnames(customers: readonly GeneratedCustomer[]): string[] {
  const bearers = Map.groupBy(customers, ({ name }) => name.split(' ').at(-1) ?? '');
  const rare = [...bearers].filter(([surname, { length }]) => length <= 3 && surname.length > 8).map(([surname]) => surname);
  return rare.toSorted().slice(0, RARE_WORDS);
}
