import type { CustomerPage, CustomerSort } from '@callout/contract/customers';
import { CUSTOMER_PAGE_SIZE } from '@callout/contract/customers';
import type { SortOrder } from '@callout/contract/fields';
import type { CustomerStatus } from '@callout/domain/customers/customer';
import { searchWords } from '@callout/domain/search/search-text';
import { and, count, eq, like, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { isInstantKey, isTextKey, type Position, pageOf, readCursor } from '../../platform/db/cursor.ts';
import { prepareSelect } from '../../platform/db/prepared-select.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { customers } from './customers.table.ts';

interface Filter {
  readonly search?: string | undefined;
  readonly status?: CustomerStatus | undefined;
}

interface ListInput extends Filter {
  readonly sort: CustomerSort;
  readonly order: SortOrder;
  readonly cursor?: string | undefined;
}

const row = {
  id: customers.id,
  name: customers.name,
  email: customers.email,
  phone: customers.phone,
  address: customers.address,
  company_name: customers.company_name,
  status: customers.status,
  created_at: customers.created_at,
  last_interaction: customers.last_interaction,
};

/** Sorts after every name: what has no company name comes last. The indexes use the same stand-ins. */
const AFTER_ALL_TEXT = sql.raw(`U&'\\+10FFFF'`);

/** The expression each order sorts by, exactly as its index has it, and as text for the cursor. */
const SORT_KEYS: Record<CustomerSort, Record<SortOrder, SQL>> = {
  name: { asc: sql`${customers.name_key}`, desc: sql`${customers.name_key}` },
  company_name: {
    asc: sql`coalesce(${customers.company_name_key}, ${AFTER_ALL_TEXT})`,
    desc: sql`coalesce(${customers.company_name_key}, '')`,
  },
  created_at: { asc: sql`${customers.created_at}`, desc: sql`${customers.created_at}` },
  last_interaction: {
    asc: sql`coalesce(${customers.last_interaction}, 'infinity')`,
    desc: sql`coalesce(${customers.last_interaction}, '-infinity')`,
  },
};

export async function listCustomers(scope: TenantScope, input: ListInput): Promise<CustomerPage> {
  const sorted = `${input.sort} ${input.order}`;
  const isKey = input.sort.endsWith('name') ? isTextKey : isInstantKey;
  const after = input.cursor === undefined ? undefined : readCursor(input.cursor, sorted, isKey);
  return pageOf(await readPage(scope, input, after), CUSTOMER_PAGE_SIZE, sorted);
}

function readPage(scope: TenantScope, input: ListInput, after: Position | undefined) {
  const patterns = searchWords(input.search ?? '').map(patternOf);
  const values = { company: scope.companyId, status: input.status, key: after?.key, id: after?.id };
  const words = Object.fromEntries(patterns.map((pattern, index) => [patternName(index), pattern]));
  return scope.run(pageSelect(input, values, patterns.length), { ...values, ...words });
}

type PageSelect = ReturnType<typeof preparePage>;

const pageSelects = new Map<string, PageSelect>();

/** One select for each shape of question that was asked: order, filter, first or later page, number of words. */
function pageSelect({ sort, order }: ListInput, values: PageValues<string>, words: number): PageSelect {
  const filter = values.status === undefined ? 'any' : 'status';
  const page = values.key === undefined ? 'first' : 'after';
  const shape = ['customers', sort, order, filter, page, words].join('.');
  let select = pageSelects.get(shape);
  if (!select) {
    const patterns = Array.from({ length: words }, (_, index) => sql.placeholder(patternName(index)));
    // A search has no name, so that it is planned anew each time: which index is best depends on how common the words are.
    select = preparePage(words > 0 ? undefined : shape, SORT_KEYS[sort][order], order, patterns, placeholders(values));
    pageSelects.set(shape, select);
  }
  return select;
}

const patternName = (index: number) => `pattern${index}`;

interface PageValues<Value> {
  readonly company: Value;
  readonly status: Value | undefined;
  readonly key: Value | undefined;
  readonly id: Value | undefined;
}

/** The same shape, to be filled in at each execution. */
function placeholders(values: PageValues<string>): PageValues<Placeholder> {
  const stand = (name: keyof PageValues<string>) => (values[name] === undefined ? undefined : sql.placeholder(name));
  return { company: sql.placeholder('company'), status: stand('status'), key: stand('key'), id: stand('id') };
}

function preparePage(
  name: string | undefined,
  sortKey: SQL,
  order: SortOrder,
  patterns: readonly Placeholder[],
  values: PageValues<Placeholder>,
) {
  const [direction, further] = order === 'asc' ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`];
  return prepareSelect(name, { ...row, sort_key: sql<string>`(${sortKey})::text` }, (select) =>
    select
      .from(customers)
      .where(
        and(
          sql`${customers.company_id} = ${values.company}`,
          values.status === undefined ? undefined : sql`${customers.status} = ${values.status}`,
          values.key === undefined ? undefined : sql`(${sortKey}, ${customers.id}) ${further} (${values.key}, ${values.id}::uuid)`,
          ...patterns.map(contains),
        ),
      )
      .orderBy(sql`${sortKey} ${direction}, ${customers.id} ${direction}`)
      .limit(CUSTOMER_PAGE_SIZE + 1),
  );
}

export async function countCustomers(scope: TenantScope, filter: Filter): Promise<number> {
  const rows = await scope.db
    .select({ total: count() })
    .from(customers)
    .where(
      and(
        eq(customers.company_id, scope.companyId),
        filter.status && eq(customers.status, filter.status),
        ...searchWords(filter.search ?? '')
          .map(patternOf)
          .map(contains),
      ),
    );
  return rows[0]?.total ?? 0;
}

const patternOf = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`;
const contains = (pattern: string | Placeholder) => like(customers.search_text, pattern);
