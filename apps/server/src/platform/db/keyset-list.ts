import type { SortOrder } from '@callout/contract/fields';
import { PAGE_SIZE } from '@callout/contract/lists';
import { searchWords } from '@callout/domain/search/search-text';
import { and, count, type GetColumnData, getTableName, is, like, or, type Placeholder, SQL, type SQLChunk, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { isDayKey, isInstantKey, isIntegerKey, isNumberKey, isTextKey, pageOf, readCursor } from './cursor.ts';
import { type PreparedSelect, prepareStatement } from './prepared-select.ts';
import { matchedBy, rankIn, searchValues, startsWithPhrase, wordPatterns } from './ranked-search.ts';
import { type CompanyTable, inCompany } from './records.ts';
import type { TenantScope } from './tenant-scope.ts';

export type ListColumns = Readonly<Record<string, PgColumn | SQL>>;
type ListRow<Selected extends ListColumns> = {
  [Name in keyof Selected]: Selected[Name] extends PgColumn
    ? GetColumnData<Selected[Name]>
    : Selected[Name] extends SQL<infer Value>
      ? Value
      : never;
};

/** A column that equals the value, or a condition on it, for what only another table knows. */
type ListFilter = PgColumn | ((value: SQLChunk) => SQL);
export type ListFilters = Readonly<Record<string, ListFilter>>;
type FilterValue<Column extends ListFilter> = Column extends PgColumn ? GetColumnData<Column> : string;

/**
 * A list that is read page by page: a page starts after the last row of the one before, however many rows come before it.
 * `apps/server/test/list-plans.ts` tests that every sort is served by an index.
 */
interface ListDefinition<Selected extends ListColumns, Sort extends string, Filters extends ListFilters, Name extends string> {
  readonly table: CompanyTable & { readonly id: PgColumn };
  /** The columns of a row: `columnsOf` its schema in the contract, and expressions for what other tables know about it. */
  readonly columns: Selected;
  /**
   * The keys of each sort: texts, numbers, instants or days, each a tie-breaker for those before it, with the id last. Rows
   * without a value come last in both directions.
   */
  readonly sorts: Readonly<Record<Sort, readonly PgColumn[]>>;
  /** By name: what the list can be filtered by. */
  readonly filters: Filters;
  /** Lists without one ignore it. */
  readonly search?: ListSearch<NoInfer<Sort>, Name>;
}

interface ListSearch<Sort extends string, Name extends string> {
  /** The folded text in which every word of a search must occur. */
  readonly text: PgColumn;
  /** The texts that rank higher in a search; see `RankedTexts`. */
  readonly ranked: Readonly<Record<Name, PgColumn>>;
  /** Also finds the rows for which this holds: the words occur in something that belongs to the row, such as a supplier's items. */
  readonly orWhere?: (hasWords: (text: PgColumn) => SQL | undefined) => SQL;
  /** In this sort, ascending, the results of a search are ranked: the sort goes by the first ranked text. */
  readonly rankedSort: Sort;
}

export interface KeysetList<Selected extends ListColumns, Sort extends string, Filters extends ListFilters, Name extends string>
  extends ListDefinition<Selected, Sort, Filters, Name> {
  /** Prepared statements by query shape. */
  readonly selects: Map<string, PreparedSelect<PageRow>>;
}

type PageRow = Record<string, unknown> & { readonly id: string; readonly sort_keys: string };
type CountedRow = PageRow & { readonly total: number };
export type Filter<Filters extends ListFilters> = { readonly search?: string | undefined } & {
  readonly [Name in keyof Filters]?: FilterValue<Filters[Name]> | undefined;
};
export type ListInput<Sort extends string, Filters extends ListFilters> = Filter<Filters> & {
  readonly sort: Sort;
  readonly order: SortOrder;
  readonly cursor?: string | undefined;
};
type AnyList = KeysetList<ListColumns, string, ListFilters, string>;

export function defineList<Selected extends ListColumns, Sort extends string, Filters extends ListFilters, Name extends string>(
  definition: ListDefinition<Selected, Sort, Filters, Name>,
): KeysetList<Selected, Sort, Filters, Name> {
  const { sorts, search } = definition;
  for (const column of Object.values<readonly PgColumn[]>(sorts).flat()) kindOf(column);
  const [name] = Object.values<PgColumn>(search?.ranked ?? {});
  if (search && (!name || sorts[search.rankedSort][0] !== name))
    throw new Error(`The sort ${search.rankedSort} must go by the first ranked text`);
  return { ...definition, selects: new Map() };
}

export async function listRecords<Selected extends ListColumns, Sort extends string, Filters extends ListFilters, Name extends string>(
  scope: TenantScope,
  list: KeysetList<Selected, Sort, Filters, Name>,
  input: ListInput<Sort, Filters>,
): Promise<{ rows: (ListRow<Selected> & { matched: Name | 'other' | null })[]; next_cursor: string | null }> {
  const { sort, order, cursor } = input;
  const words = wordsOf(list, input);
  const isRanked = words.length > 0 && sort === list.search?.rankedSort && order === 'asc';
  // Includes the sort, and the words that rank the rows: under others the same position would skip rows.
  const sorted = isRanked ? `rank ${words.join(' ')}` : `${sort} ${order}`;
  const isKey = list.sorts[sort].map((column) => KEY_KINDS[kindOf(column)].isKey);
  const position = cursor === undefined ? undefined : readCursor(cursor, sorted, isRanked ? [isRankKey, ...isKey] : isKey);
  const filters = filterValues(list, input);
  const start = position ? (isRanked && position.keys[0] === BEST ? 'best' : 'later') : 'first';
  const shape = { sort, order, filters: Object.keys(filters), words: words.length, start, isRanked } as const;
  const keys = (position?.keys ?? []).map((key, index) => [`key${index}`, key] as const);
  const values = { ...filters, company: scope.companyId, id: position?.id, ...Object.fromEntries(keys), ...searchValues(words) };
  const found = await scope.run(pageSelect(list, shape), values);
  return pageOf(found, PAGE_SIZE, sorted) as Awaited<ReturnType<typeof listRecords<Selected, Sort, Filters, Name>>>;
}

/**
 * The first page of every group and how many rows it has, in one statement: the rows with each of these values of a filter that is also
 * one of the columns. A page continues with `listRecords` and its value as the filter.
 */
export async function listFirstPages<
  Selected extends ListColumns,
  Sort extends string,
  Filters extends ListFilters,
  Name extends string,
  Value extends string,
>(
  scope: TenantScope,
  list: KeysetList<Selected, Sort, Filters, Name>,
  group: string & keyof Filters,
  values: readonly Value[],
  input: Omit<ListInput<Sort, Filters>, 'cursor'>,
) {
  const { sort, order } = input;
  const words = wordsOf(list, input);
  const filters = filterValues(list, input);
  const shape = { sort, order, filters: Object.keys(filters), words: words.length, start: 'first', isRanked: false } as const;
  const found = await scope.run(groupedSelect(list, shape, group) as PreparedSelect<CountedRow>, {
    ...filters,
    company: scope.companyId,
    groups: values.join(','),
    ...searchValues(words),
  });
  const rowsOf = Map.groupBy(found, (row): unknown => row[group]);
  return values.map((value) => {
    const counted = rowsOf.get(value) ?? [];
    const rows = counted.map(({ total: _, ...row }): PageRow => row);
    const page = pageOf(rows, PAGE_SIZE, `${sort} ${order}`) as Awaited<ReturnType<typeof listRecords<Selected, Sort, Filters, Name>>>;
    return { value, page, total: counted[0]?.total ?? 0 };
  });
}

export async function countRecords<Filters extends ListFilters>(
  scope: TenantScope,
  list: KeysetList<ListColumns, string, Filters, string>,
  filter: Filter<Filters>,
): Promise<number> {
  const rows = await scope.db
    .select({ total: count() })
    .from(list.table)
    .where(isListed(scope, list, filter));
  return rows[0]?.total ?? 0;
}

/** The company's rows that a list shows with this filter, for what counts and sums them. */
export function isListed<Filters extends ListFilters>(
  scope: TenantScope,
  list: KeysetList<ListColumns, string, Filters, string>,
  filter: Filter<Filters>,
): SQL | undefined {
  const words = wordsOf(list, filter);
  const values = searchValues(words);
  const isFound = hasWords(
    list,
    words.map((_, index) => values[`word${index}`] ?? ''),
  );
  return and(inCompany(scope, list.table), isWanted(list, filter), isFound);
}

/** Whether a row passes these filters, whatever the company and the search. */
export function isWanted<Filters extends ListFilters>(
  list: KeysetList<ListColumns, string, Filters, string>,
  filter: Filter<Filters>,
): SQL | undefined {
  return and(...Object.entries(filterValues(list, filter)).map(([name, value]) => filterCondition(list, name, sql.param(value))));
}

/** A query's shape, without its values. */
interface PageShape {
  readonly sort: string;
  readonly order: SortOrder;
  readonly filters: readonly string[];
  readonly words: number;
  /** 'best' is a later page that still starts among the best matches of a ranked search. */
  readonly start: 'first' | 'later' | 'best';
  readonly isRanked: boolean;
}

const pageSelect = (list: AnyList, shape: PageShape) =>
  preparedOnce(list, shape, 'list', () => (shape.isRanked ? rankedPage(list, shape) : plainPage(list, shape)));

const groupedSelect = (list: AnyList, shape: PageShape, group: string) =>
  preparedOnce(list, shape, `by ${group}`, () => groupedPages(list, shape, group), { total: sql`null` });

function preparedOnce(list: AnyList, shape: PageShape, kind: string, write: () => SQL, more: ListColumns = {}): PreparedSelect<PageRow> {
  const { sort, order, filters, words, start } = shape;
  const key = [getTableName(list.table), kind, sort, order, ...filters, start, words].join('.');
  let select = list.selects.get(key);
  if (!select) {
    const fields = { ...list.columns, matched: sql`null`, sort_keys: sql`null`, ...more };
    // Unnamed statements are planned each time: the best index depends on how common the words, or the rows of a condition, are.
    const dependsOnValues = words > 0 || filters.some((filter) => typeof list.filters[filter] === 'function');
    select = prepareStatement<PageRow>(dependsOnValues ? undefined : key, fields, write());
    list.selects.set(key, select);
  }
  return select;
}

const RANK = sql`ranked.rank`;
/** The rank of rows that start with the whole search text, as stored in a cursor. */
const BEST = '0';
const isRankKey = (text: string) => /^\d$/.test(text);

function plainPage(list: AnyList, shape: PageShape): SQL {
  const keys = sortKeysOf(list, shape);
  const isAfter = shape.start === 'later' ? isAfterPosition(list, keys, shape.order, 0) : undefined;
  return sql`select ${plainSelection(list, shape, keys)} ${plainRows(list, shape, isAfter)} ${endOfPage(list, keys, shape.order)}`;
}

/** For each group the index is read from its own start, unless there is a search: then all matches are read once, whatever group they are of. */
function groupedPages(list: AnyList, shape: PageShape, group: string): SQL {
  const { table } = list;
  const keys = sortKeysOf(list, shape);
  const column = list.columns[group];
  const isWantedGroup = sql`${column} = any(string_to_array(${sql.placeholder('groups')}, ','))`;
  const wanted = and(...conditions(list, shape), hasWords(list, wordPatterns(shape.words)), isWantedGroup);
  if (shape.words > 0) {
    return sql`with found as materialized (
        select ${table.id} as id, (count(*) over (partition by ${column}))::int as total,
          row_number() over (partition by ${column} ${inOrder(list, keys, shape.order)}) as place from ${table} where ${wanted})
      select ${plainSelection(list, shape, keys)}, found.total from found
        join ${table} on ${table.company_id} = ${sql.placeholder('company')} and ${table.id} = found.id ${rankJoin(list, shape)}
      where found.place <= ${sql.raw(String(PAGE_SIZE + 1))} ${inOrder(list, keys, shape.order)}`;
  }
  const order = sql.raw(shape.order);
  return sql`with counted as materialized (select ${column} as value, count(*)::int as total from ${table} where ${wanted} group by ${column})
    select page.* from counted cross join lateral (
      select ${plainSelection(list, shape, keys)}, counted.total, ${outerKeys(keys)}
        ${plainRows(list, shape, filterCondition(list, group, sql`counted.value`))} ${endOfPage(list, keys, shape.order)}
    ) as page order by ${joined([...keys.map((_, index) => sql`page.${sql.identifier(`key${index}`)} ${order}`), sql`page.id ${order}`])}`;
}

function plainSelection(list: AnyList, { words }: PageShape, keys: readonly SQL[]): SQL {
  return selection(list, words > 0 ? matchedBy(searchOf(list).ranked, RANK) : sql`null::text`, keys);
}

const plainRows = (list: AnyList, shape: PageShape, condition: SQL | undefined) => sql`from ${list.table} ${rankJoin(list, shape)}
    where ${and(...conditions(list, shape), hasWords(list, wordPatterns(shape.words)), condition)}`;

/**
 * The best matches come from the sort's index without reading the others: while someone types the first letters, which
 * nearly every row contains, they fill the page. Only if they don't are all other matches read and ranked.
 */
function rankedPage(list: AnyList, shape: PageShape): SQL {
  const { table } = list;
  const search = searchOf(list);
  const { order, start } = shape;
  const keys = sortKeysOf(list, shape);
  const label = sql.raw(`'${Object.keys(search.ranked)[0]}'`);
  const [best, ranked] = [
    [sql`0`, ...keys],
    [RANK, ...keys],
  ];
  const isAfterBest = start === 'best' ? isAfterPosition(list, keys, order, 1) : undefined;
  const isAfterRanked = start === 'later' ? isAfterPosition(list, ranked, order, 0) : undefined;
  const others = (condition: SQL | undefined) => sql`select ${selection(list, matchedBy(search.ranked, RANK), ranked)}, ${outerKeys(ranked)}
    from ${table} ${rankJoin(list, shape)}
    where ${and(...conditions(list, shape), hasWords(list, wordPatterns(shape.words)), sql`not (${startsWithPhrase(search.ranked)})`, condition)}
    ${endOfPage(list, ranked, order)}`;
  if (start === 'later') return others(isAfterRanked);
  const names = best.map((_, index) => sql.identifier(`key${index}`));
  return sql`with best as (
      select ${selection(list, label, best)}, ${outerKeys(best)} from ${table}
      where ${and(...conditions(list, shape), startsWithPhrase(search.ranked), isAfterBest)} ${endOfPage(list, keys, order)}),
    others as (${others(sql`(select count(*) from best) <= ${sql.raw(String(PAGE_SIZE))}`)})
    select * from (select * from best union all select * from others) as found order by ${joined([...names, sql`id`])} limit ${PAGE_SIZE + 1}`;
}

const rankJoin = (list: AnyList, { words }: PageShape) =>
  words > 0 ? sql`cross join lateral (select ${rankIn(searchOf(list).ranked, words)} as rank) as ranked` : sql``;

const outerKeys = (keys: readonly SQL[]) => joined(keys.map((key, index) => sql`${key} as ${sql.identifier(`key${index}`)}`));

/** The columns of a row, and `sort_keys`: text that only the last row of a page is read from. */
function selection({ columns }: AnyList, matched: SQL, keys: readonly SQL[]): SQL {
  const texts = joined(keys.map((key) => sql`(${key})::text`));
  const selected = Object.entries(columns).map(([name, column]) =>
    is(column, SQL) ? sql`${column} as ${sql.identifier(name)}` : sql`${column}`,
  );
  return sql`${joined(selected)}, ${matched} as matched, json_build_array(${texts})::text as sort_keys`;
}

function conditions(list: AnyList, shape: PageShape): SQL[] {
  const wanted = shape.filters.map((filter) => filterCondition(list, filter, sql.placeholder(filter)));
  return [sql`${list.table.company_id} = ${sql.placeholder('company')}`, ...wanted];
}

function filterCondition({ filters }: Pick<AnyList, 'filters'>, name: string, value: SQLChunk): SQL {
  const filter = filters[name];
  if (!filter) throw new Error(`There is no filter ${name}`);
  return typeof filter === 'function' ? filter(value) : sql`${filter} = ${value}`;
}

function hasWords(list: AnyList, patterns: readonly (string | Placeholder)[]): SQL | undefined {
  if (patterns.length === 0) return undefined;
  const { text, orWhere } = searchOf(list);
  const isIn = (column: PgColumn) => and(...patterns.map((pattern) => like(column, pattern)));
  return orWhere ? or(isIn(text), orWhere(isIn)) : isIn(text);
}

const wordsOf = ({ search }: Pick<AnyList, 'search'>, asked: { readonly search?: string | undefined }) =>
  search ? searchWords(asked.search ?? '') : [];

function searchOf({ search }: AnyList) {
  if (!search) throw new Error('This list has no search');
  return search;
}

/** All keys in one direction: then one index gives the order, and one comparison of rows the start of a later page. */
function isAfterPosition({ table }: AnyList, keys: readonly SQL[], order: SortOrder, firstKey: number): SQL {
  const position = keys.map((_, index) => sql.placeholder(`key${index + firstKey}`));
  return sql`(${joined([...keys, table.id])}) ${sql.raw(order === 'asc' ? '>' : '<')} (${joined(position)}, ${sql.placeholder('id')}::uuid)`;
}

const inOrder = ({ table }: AnyList, keys: readonly SQL[], order: SortOrder) =>
  sql`order by ${joined([...keys, table.id].map((key) => sql`${key} ${sql.raw(order)}`))}`;

const endOfPage = (list: AnyList, keys: readonly SQL[], order: SortOrder) => sql`${inOrder(list, keys, order)} limit ${PAGE_SIZE + 1}`;

/** `last` stands for a missing value and sorts after all others. The indexes have the same expressions. */
const KEY_KINDS = {
  text: { isKey: isTextKey, last: { asc: sql.raw(`U&'\\+10FFFF'`), desc: sql`''` } },
  integer: { isKey: isIntegerKey, last: { asc: sql`2147483647`, desc: sql`-2147483648` } },
  number: { isKey: isNumberKey, last: { asc: sql`'Infinity'`, desc: sql`'-Infinity'` } },
  instant: { isKey: isInstantKey, last: { asc: sql`'infinity'`, desc: sql`'-infinity'` } },
  day: { isKey: isDayKey, last: { asc: sql`'infinity'`, desc: sql`'-infinity'` } },
};

function kindOf(column: PgColumn): keyof typeof KEY_KINDS {
  if (column.getSQLType() === 'text') return 'text';
  if (column.getSQLType() === 'integer') return 'integer';
  if (column.getSQLType().startsWith('numeric')) return 'number';
  if (column.getSQLType().startsWith('timestamp')) return 'instant';
  if (column.getSQLType() === 'date') return 'day';
  throw new Error(`A list cannot sort by ${column.name}`);
}

function sortKeysOf({ sorts }: AnyList, { sort, order }: PageShape): SQL[] {
  return (sorts[sort] ?? []).map((column) => {
    const { last } = KEY_KINDS[kindOf(column)];
    // Not coalesce: under row-level security the planner would not use it, and read a list from its start to find a later page.
    return column.notNull ? sql`${column}` : sql`case when ${column} is null then ${last[order]} else ${column} end`;
  });
}

/** The requested filters by column. */
function filterValues({ filters }: Pick<AnyList, 'filters'>, input: object): Record<string, unknown> {
  const asked: Record<string, unknown> = { ...input };
  return Object.fromEntries(Object.keys(filters).flatMap((name) => (asked[name] === undefined ? [] : [[name, asked[name]]])));
}

const joined = (parts: readonly SQLChunk[]) => sql.join([...parts], sql`, `);
