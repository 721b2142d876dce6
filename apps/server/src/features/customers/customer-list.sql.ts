import type { CustomerPage, CustomerSort } from '@callout/contract/customers';
import { CUSTOMER_PAGE_SIZE } from '@callout/contract/customers';
import type { SortOrder } from '@callout/contract/fields';
import type { CustomerStatus } from '@callout/domain/customers/customer';
import { searchWords } from '@callout/domain/search/search-text';
import { and, count, eq, like, type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import {
  isAfter,
  isInstantKey,
  isTextKey,
  orderBy,
  type Position,
  pageOf,
  readCursor,
  type SortKey,
  sortKeysText,
} from '../../platform/db/cursor.ts';
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

const textKey = (expression: SQL): SortKey => ({ expression, isKey: isTextKey });
const instantKey = (expression: SQL): SortKey => ({ expression, isKey: isInstantKey });

/** Not coalesce: the planner would not trust it under row-level security, and read a list from its start to find a later page. */
const orElse = (column: SQLWrapper, standIn: SQL) => sql`case when ${column} is null then ${standIn} else ${column} end`;

const NAME = textKey(sql`${customers.name_key}`);
const ADDED = instantKey(sql`${customers.created_at}`);

/** What each order sorts by, before the id, exactly as its index has it. */
const SORT_KEYS: Record<CustomerSort, Record<SortOrder, readonly SortKey[]>> = {
  name: { asc: [NAME], desc: [NAME] },
  company_name: {
    asc: [textKey(orElse(customers.company_name_key, AFTER_ALL_TEXT)), NAME],
    desc: [textKey(orElse(customers.company_name_key, sql`''`)), NAME],
  },
  created_at: { asc: [ADDED, NAME], desc: [ADDED, NAME] },
  last_interaction: {
    asc: [instantKey(orElse(customers.last_interaction, sql`'infinity'`)), NAME],
    desc: [instantKey(orElse(customers.last_interaction, sql`'-infinity'`)), NAME],
  },
};

export async function listCustomers(scope: TenantScope, input: ListInput): Promise<CustomerPage> {
  const { sort, order, cursor } = input;
  const sorted = `${sort} ${order}`;
  const isKey = SORT_KEYS[sort][order].map((key) => key.isKey);
  const after = cursor === undefined ? undefined : readCursor(cursor, sorted, isKey);
  return pageOf(await readPage(scope, input, after), CUSTOMER_PAGE_SIZE, sorted);
}

function readPage(scope: TenantScope, input: ListInput, after: Position | undefined) {
  const patterns = searchWords(input.search ?? '').map(patternOf);
  return scope.run(pageSelect(input, after !== undefined, patterns.length), {
    company: scope.companyId,
    status: input.status,
    id: after?.id,
    ...numbered('key', after?.keys ?? []),
    ...numbered('pattern', patterns),
  });
}

const numbered = (name: string, values: readonly string[]) => Object.fromEntries(values.map((value, index) => [`${name}${index}`, value]));

const placeholders = (name: string, length: number) => Array.from({ length }, (_, index) => sql.placeholder(`${name}${index}`));

type PageSelect = ReturnType<typeof preparePage>;

const pageSelects = new Map<string, PageSelect>();

/** One select for each shape of question that was asked: order, filter, first or later page, number of words. */
function pageSelect(input: ListInput, isLater: boolean, words: number): PageSelect {
  const filter = input.status === undefined ? 'any' : 'status';
  const shape = ['customers', input.sort, input.order, filter, isLater ? 'after' : 'first', words].join('.');
  let select = pageSelects.get(shape);
  if (!select) {
    // A search has no name, so that it is planned anew each time: which index is best depends on how common the words are.
    select = preparePage(words > 0 ? undefined : shape, input, isLater, words);
    pageSelects.set(shape, select);
  }
  return select;
}

function preparePage(name: string | undefined, { sort, order, status }: ListInput, isLater: boolean, words: number) {
  const sortKeys = SORT_KEYS[sort][order].map(({ expression }) => expression);
  const keys = [...sortKeys, sql`${customers.id}`];
  const position = [...placeholders('key', sortKeys.length), sql`${sql.placeholder('id')}::uuid`];
  return prepareSelect(name, { ...row, sort_keys: sortKeysText(sortKeys) }, (select) =>
    select
      .from(customers)
      .where(
        and(
          sql`${customers.company_id} = ${sql.placeholder('company')}`,
          status === undefined ? undefined : sql`${customers.status} = ${sql.placeholder('status')}`,
          isLater ? isAfter(keys, order, position) : undefined,
          ...placeholders('pattern', words).map(contains),
        ),
      )
      .orderBy(orderBy(keys, order))
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
