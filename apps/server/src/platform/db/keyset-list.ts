import type { SortOrder } from '@callout/contract/fields';
import { PAGE_SIZE } from '@callout/contract/lists';
import { parseSearchWords } from '@callout/domain/search/search-text';
import { and, count, type GetColumnData, getTableName, is, like, or, type Placeholder, SQL, type SQLChunk, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { buildPage, decodeCursor, isDayKey, isInstantKey, isIntegerKey, isNumberKey, isTextKey } from './cursor.ts';
import { type PreparedSelect, prepareRawSelect } from './prepared-select.ts';
import { buildMatchedLabel, buildRank, buildSearchValues, buildWordPatterns, startsWithPhrase } from './ranked-search.ts';
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

/** A column that must equal the filter's value, or a function that builds a condition on another table from that value. */
type ListFilter = PgColumn | ((value: SQLChunk) => SQL);
export type ListFilters = Readonly<Record<string, ListFilter>>;
type FilterValue<Column extends ListFilter> = Column extends PgColumn ? GetColumnData<Column> : string;

/** A list with keyset pagination, so that late pages are as fast as the first. `list-plans.ts` tests that an index serves every sort. */
interface ListDefinition<Selected extends ListColumns, Sort extends string, Filters extends ListFilters, Name extends string> {
  readonly table: CompanyTable & { readonly id: PgColumn };
  /** The columns of a row: those that `pickColumns` returns for the contract's schema, and expressions for data from other tables. */
  readonly columns: Selected;
  /** The columns of each sort order. Each column breaks ties left by those before it. Rows without a value come last in both directions. */
  readonly sorts: Readonly<Record<Sort, readonly PgColumn[]>>;
  readonly filters: Filters;
  /** A list without this property ignores the search text. */
  readonly search?: ListSearch<NoInfer<Sort>, Name>;
}

interface ListSearch<Sort extends string, Name extends string> {
  /** The folded text column, which must contain every word of the search. */
  readonly text: PgColumn;
  /** The columns in which a match ranks higher; see `RankedTexts`. */
  readonly ranked: Readonly<Record<Name, PgColumn>>;
  /** An alternative condition. Rows that meet it are found too, such as suppliers with an item that contains the words. */
  readonly orWhere?: (containsWords: (text: PgColumn) => SQL | undefined) => SQL;
  /** Search results are ranked when the list uses this sort in ascending order. The sort's first key must be the first ranked text. */
  readonly rankedSort: Sort;
}

export interface KeysetList<Selected extends ListColumns, Sort extends string, Filters extends ListFilters, Name extends string>
  extends ListDefinition<Selected, Sort, Filters, Name> {
  /** Cache of prepared statements by query shape. */
  readonly selects: Map<string, PreparedSelect<PageRow>>;
}

type PageRow = Record<string, unknown> & { readonly id: string; readonly sort_keys: string };
type CountedRow = PageRow & { readonly total: number };
export type FilterInput<Filters extends ListFilters> = { readonly search?: string | undefined } & {
  readonly [Name in keyof Filters]?: FilterValue<Filters[Name]> | undefined;
};
export type ListInput<Sort extends string, Filters extends ListFilters> = FilterInput<Filters> & {
  readonly sort: Sort;
  readonly order: SortOrder;
  readonly cursor?: string | undefined;
  /** The size of the page. Exports read larger pages than lists. */
  readonly limit?: number | undefined;
};
type AnyList = KeysetList<ListColumns, string, ListFilters, string>;

export function defineList<Selected extends ListColumns, Sort extends string, Filters extends ListFilters, Name extends string>(
  definition: ListDefinition<Selected, Sort, Filters, Name>,
): KeysetList<Selected, Sort, Filters, Name> {
  const { sorts, search } = definition;
  for (const column of Object.values<readonly PgColumn[]>(sorts).flat()) getKeyKind(column);
  const [name] = Object.values<PgColumn>(search?.ranked ?? {});
  if (search && (!name || sorts[search.rankedSort][0] !== name))
    throw new Error(`The sort ${search.rankedSort} must start with the first ranked text`);
  return { ...definition, selects: new Map() };
}

export async function listRecords<Selected extends ListColumns, Sort extends string, Filters extends ListFilters, Name extends string>(
  scope: TenantScope,
  list: KeysetList<Selected, Sort, Filters, Name>,
  input: ListInput<Sort, Filters>,
): Promise<{ rows: (ListRow<Selected> & { matched: Name | 'other' | null })[]; next_cursor: string | null }> {
  const { sort, order, cursor, limit = PAGE_SIZE } = input;
  const words = getSearchWords(list, input);
  const isRanked = words.length > 0 && sort === list.search?.rankedSort && order === 'asc';
  // Ties the cursor to the row order and any ranked words, because the same position in another order would skip rows.
  const orderKey = isRanked ? `rank ${words.join(' ')}` : `${sort} ${order}`;
  const keyChecks = list.sorts[sort].map((column) => KEY_KINDS[getKeyKind(column)].isValidKey);
  const position = cursor === undefined ? undefined : decodeCursor(cursor, orderKey, isRanked ? [isRankKey, ...keyChecks] : keyChecks);
  const filters = pickFilterValues(list, input);
  const start = position ? (isRanked && position.keys[0] === BEST_RANK ? 'best' : 'later') : 'first';
  const shape = { sort, order, filters: Object.keys(filters), words: words.length, start, isRanked, limit } as const;
  const keys = (position?.keys ?? []).map((key, index) => [`key${index}`, key] as const);
  const values = { ...filters, company: scope.companyId, id: position?.id, ...Object.fromEntries(keys), ...buildSearchValues(words) };
  const found = await scope.run(getPageSelect(list, shape), values);
  return buildPage(found, limit, orderKey) as Awaited<ReturnType<typeof listRecords<Selected, Sort, Filters, Name>>>;
}

/**
 * Lists the first page and the row count of each group in one statement. There is one group for each of `values`: the rows with that value
 * in `group`, which must be both a filter and a column. To continue a group, call `listRecords` with its value as the filter.
 */
export async function listFirstPagePerGroup<
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
  const words = getSearchWords(list, input);
  const filters = pickFilterValues(list, input);
  const shape = {
    sort,
    order,
    filters: Object.keys(filters),
    words: words.length,
    start: 'first',
    isRanked: false,
    limit: PAGE_SIZE,
  } as const;
  const found = await scope.run(getGroupedSelect(list, shape, group) as PreparedSelect<CountedRow>, {
    ...filters,
    company: scope.companyId,
    groups: values.join(','),
    ...buildSearchValues(words),
  });
  const rowsByGroup = Map.groupBy(found, (row): unknown => row[group]);
  return values.map((value) => {
    const counted = rowsByGroup.get(value) ?? [];
    const rows = counted.map(({ total: _, ...row }): PageRow => row);
    const page = buildPage(rows, PAGE_SIZE, `${sort} ${order}`) as Awaited<ReturnType<typeof listRecords<Selected, Sort, Filters, Name>>>;
    return { value, page, total: counted[0]?.total ?? 0 };
  });
}

export async function countRecords<Filters extends ListFilters>(
  scope: TenantScope,
  list: KeysetList<ListColumns, string, Filters, string>,
  filter: FilterInput<Filters>,
): Promise<number> {
  const rows = await scope.db
    .select({ total: count() })
    .from(list.table)
    .where(buildListCondition(scope, list, filter));
  return rows[0]?.total ?? 0;
}

/** Builds the condition that the list uses for `filter`, for statements that count or sum the same rows. */
export function buildListCondition<Filters extends ListFilters>(
  scope: TenantScope,
  list: KeysetList<ListColumns, string, Filters, string>,
  filter: FilterInput<Filters>,
): SQL | undefined {
  const words = getSearchWords(list, filter);
  const values = buildSearchValues(words);
  const isMatch = containsWords(
    list,
    words.map((_, index) => values[`word${index}`] ?? ''),
  );
  return and(inCompany(scope, list.table), buildFilterCondition(list, filter), isMatch);
}

/** Builds the condition for the values in `filter` alone, ignoring the company and the search. */
export function buildFilterCondition<Filters extends ListFilters>(
  list: KeysetList<ListColumns, string, Filters, string>,
  filter: FilterInput<Filters>,
): SQL | undefined {
  return and(...Object.entries(pickFilterValues(list, filter)).map(([name, value]) => buildSingleFilter(list, name, sql.param(value))));
}

/** The properties that determine the SQL of a page. Pages with the same shape share a prepared statement. */
interface PageShape {
  readonly sort: string;
  readonly order: SortOrder;
  readonly filters: readonly string[];
  readonly words: number;
  /** 'best' means a later page that still starts among the best matches of a ranked search. */
  readonly start: 'first' | 'later' | 'best';
  readonly isRanked: boolean;
  readonly limit: number;
}

const getPageSelect = (list: AnyList, shape: PageShape) =>
  prepareOnce(list, shape, 'list', () => (shape.isRanked ? buildRankedPage(list, shape) : buildPlainPage(list, shape)));

const getGroupedSelect = (list: AnyList, shape: PageShape, group: string) =>
  prepareOnce(list, shape, `by ${group}`, () => buildGroupedPages(list, shape, group), { total: sql`null` });

function prepareOnce(list: AnyList, shape: PageShape, kind: string, build: () => SQL, extra: ListColumns = {}): PreparedSelect<PageRow> {
  const { sort, order, filters, words, start, limit } = shape;
  const key = [getTableName(list.table), kind, sort, order, ...filters, start, words, limit].join('.');
  let select = list.selects.get(key);
  if (!select) {
    const fields = { ...list.columns, matched: sql`null`, sort_keys: sql`null`, ...extra };
    // If the best index depends on how many rows match, leave the statement unnamed, so that PostgreSQL plans every execution.
    const dependsOnValues = words > 0 || filters.some((filter) => typeof list.filters[filter] === 'function');
    select = prepareRawSelect<PageRow>(dependsOnValues ? undefined : key, fields, build());
    list.selects.set(key, select);
  }
  return select;
}

const RANK_COLUMN = sql`ranked.rank`;
/** The best rank, as stored in a cursor: the row's name starts with the whole search text. */
const BEST_RANK = '0';
const isRankKey = (text: string) => /^\d$/.test(text);

function buildPlainPage(list: AnyList, shape: PageShape): SQL {
  const keys = buildSortKeys(list, shape);
  const isAfter = shape.start === 'later' ? isAfterPosition(list, keys, shape.order, 0) : undefined;
  return sql`select ${buildPlainSelection(list, shape, keys)} ${buildPlainFrom(list, shape, isAfter)} ${buildOrderAndLimit(list, keys, shape)}`;
}

/** Reads the start of each group from the index. With a search, reads all matches once and then groups them. */
function buildGroupedPages(list: AnyList, shape: PageShape, group: string): SQL {
  const { table } = list;
  const keys = buildSortKeys(list, shape);
  const column = list.columns[group];
  const isInGroups = sql`${column} = any(string_to_array(${sql.placeholder('groups')}, ','))`;
  const matching = and(...buildConditions(list, shape), containsWords(list, buildWordPatterns(shape.words)), isInGroups);
  if (shape.words > 0) {
    return sql`with found as materialized (
        select ${table.id} as id, (count(*) over (partition by ${column}))::int as total,
          row_number() over (partition by ${column} ${buildOrderBy(list, keys, shape.order)}) as row_index from ${table} where ${matching})
      select ${buildPlainSelection(list, shape, keys)}, found.total from found
        join ${table} on ${table.company_id} = ${sql.placeholder('company')} and ${table.id} = found.id ${buildRankJoin(list, shape)}
      where found.row_index <= ${sql.raw(String(PAGE_SIZE + 1))} ${buildOrderBy(list, keys, shape.order)}`;
  }
  const order = sql.raw(shape.order);
  return sql`with counted as materialized (select ${column} as value, count(*)::int as total from ${table} where ${matching} group by ${column})
    select page.* from counted cross join lateral (
      select ${buildPlainSelection(list, shape, keys)}, counted.total, ${buildKeyAliases(keys)}
        ${buildPlainFrom(list, shape, buildSingleFilter(list, group, sql`counted.value`))} ${buildOrderAndLimit(list, keys, shape)}
    ) as page order by ${joinWithCommas([...keys.map((_, index) => sql`page.${sql.identifier(`key${index}`)} ${order}`), sql`page.id ${order}`])}`;
}

function buildPlainSelection(list: AnyList, { words }: PageShape, keys: readonly SQL[]): SQL {
  return buildSelection(list, words > 0 ? buildMatchedLabel(requireSearch(list).ranked, RANK_COLUMN) : sql`null::text`, keys);
}

const buildPlainFrom = (list: AnyList, shape: PageShape, condition: SQL | undefined) => sql`from ${list.table} ${buildRankJoin(list, shape)}
    where ${and(...buildConditions(list, shape), containsWords(list, buildWordPatterns(shape.words)), condition)}`;

/**
 * Reads the best matches first, from the sort's index. While someone types the first letters, which nearly every row contains, the best
 * matches usually fill the page. The other matches are read and ranked only if there is room left.
 */
function buildRankedPage(list: AnyList, shape: PageShape): SQL {
  const { table } = list;
  const search = requireSearch(list);
  const { order, start } = shape;
  const keys = buildSortKeys(list, shape);
  const label = sql.raw(`'${Object.keys(search.ranked)[0]}'`);
  const [best, ranked] = [
    [sql`0`, ...keys],
    [RANK_COLUMN, ...keys],
  ];
  const isAfterBest = start === 'best' ? isAfterPosition(list, keys, order, 1) : undefined;
  const isAfterRanked = start === 'later' ? isAfterPosition(list, ranked, order, 0) : undefined;
  const others = (
    condition: SQL | undefined,
  ) => sql`select ${buildSelection(list, buildMatchedLabel(search.ranked, RANK_COLUMN), ranked)}, ${buildKeyAliases(ranked)}
    from ${table} ${buildRankJoin(list, shape)}
    where ${and(...buildConditions(list, shape), containsWords(list, buildWordPatterns(shape.words)), sql`not (${startsWithPhrase(search.ranked)})`, condition)}
    ${buildOrderAndLimit(list, ranked, shape)}`;
  if (start === 'later') return others(isAfterRanked);
  const names = best.map((_, index) => sql.identifier(`key${index}`));
  return sql`with best as (
      select ${buildSelection(list, label, best)}, ${buildKeyAliases(best)} from ${table}
      where ${and(...buildConditions(list, shape), startsWithPhrase(search.ranked), isAfterBest)} ${buildOrderAndLimit(list, keys, shape)}),
    others as (${others(sql`(select count(*) from best) <= ${sql.raw(String(PAGE_SIZE))}`)})
    select * from (select * from best union all select * from others) as found order by ${joinWithCommas([...names, sql`id`])} limit ${shape.limit + 1}`;
}

const buildRankJoin = (list: AnyList, { words }: PageShape) =>
  words > 0 ? sql`cross join lateral (select ${buildRank(requireSearch(list).ranked, words)} as rank) as ranked` : sql``;

const buildKeyAliases = (keys: readonly SQL[]) => joinWithCommas(keys.map((key, index) => sql`${key} as ${sql.identifier(`key${index}`)}`));

/** Selects a row's columns and its `sort_keys`, which the next page's cursor is built from. */
function buildSelection({ columns }: AnyList, matched: SQL, keys: readonly SQL[]): SQL {
  const texts = joinWithCommas(keys.map((key) => sql`(${key})::text`));
  const selected = Object.entries(columns).map(([name, column]) =>
    is(column, SQL) ? sql`${column} as ${sql.identifier(name)}` : sql`${column}`,
  );
  return sql`${joinWithCommas(selected)}, ${matched} as matched, json_build_array(${texts})::text as sort_keys`;
}

function buildConditions(list: AnyList, shape: PageShape): SQL[] {
  const matching = shape.filters.map((filter) => buildSingleFilter(list, filter, sql.placeholder(filter)));
  return [sql`${list.table.company_id} = ${sql.placeholder('company')}`, ...matching];
}

function buildSingleFilter({ filters }: Pick<AnyList, 'filters'>, name: string, value: SQLChunk): SQL {
  const filter = filters[name];
  if (!filter) throw new Error(`The list has no filter ${name}`);
  return typeof filter === 'function' ? filter(value) : sql`${filter} = ${value}`;
}

function containsWords(list: AnyList, patterns: readonly (string | Placeholder)[]): SQL | undefined {
  if (patterns.length === 0) return undefined;
  const { text, orWhere } = requireSearch(list);
  const containsAll = (column: PgColumn) => and(...patterns.map((pattern) => like(column, pattern)));
  return orWhere ? or(containsAll(text), orWhere(containsAll)) : containsAll(text);
}

const getSearchWords = ({ search }: Pick<AnyList, 'search'>, input: { readonly search?: string | undefined }) =>
  search ? parseSearchWords(input.search ?? '') : [];

function requireSearch({ search }: AnyList) {
  if (!search) throw new Error('The list has no search');
  return search;
}

/** Matches rows after the cursor's position. All keys sort in one direction, so one index and one row comparison find the page's start. */
function isAfterPosition({ table }: AnyList, keys: readonly SQL[], order: SortOrder, firstKey: number): SQL {
  const position = keys.map((_, index) => sql.placeholder(`key${index + firstKey}`));
  return sql`(${joinWithCommas([...keys, table.id])}) ${sql.raw(order === 'asc' ? '>' : '<')} (${joinWithCommas(position)}, ${sql.placeholder('id')}::uuid)`;
}

const buildOrderBy = ({ table }: AnyList, keys: readonly SQL[], order: SortOrder) =>
  sql`order by ${joinWithCommas([...keys, table.id].map((key) => sql`${key} ${sql.raw(order)}`))}`;

const buildOrderAndLimit = (list: AnyList, keys: readonly SQL[], { order, limit }: PageShape) =>
  sql`${buildOrderBy(list, keys, order)} limit ${limit + 1}`;

/** `last` stands in for a missing value and sorts after every other value. The indexes use the same expressions. */
const KEY_KINDS = {
  text: { isValidKey: isTextKey, last: { asc: sql.raw(`U&'\\+10FFFF'`), desc: sql`''` } },
  integer: { isValidKey: isIntegerKey, last: { asc: sql`2147483647`, desc: sql`-2147483648` } },
  number: { isValidKey: isNumberKey, last: { asc: sql`'Infinity'`, desc: sql`'-Infinity'` } },
  instant: { isValidKey: isInstantKey, last: { asc: sql`'infinity'`, desc: sql`'-infinity'` } },
  day: { isValidKey: isDayKey, last: { asc: sql`'infinity'`, desc: sql`'-infinity'` } },
};

function getKeyKind(column: PgColumn): keyof typeof KEY_KINDS {
  if (column.getSQLType() === 'text') return 'text';
  if (column.getSQLType() === 'integer') return 'integer';
  if (column.getSQLType().startsWith('numeric')) return 'number';
  if (column.getSQLType().startsWith('timestamp')) return 'instant';
  if (column.getSQLType() === 'date') return 'day';
  throw new Error(`A list cannot sort by ${column.name}`);
}

function buildSortKeys({ sorts }: AnyList, { sort, order }: PageShape): SQL[] {
  return (sorts[sort] ?? []).map((column) => {
    const { last } = KEY_KINDS[getKeyKind(column)];
    // Under row-level security, the planner can't use an index on `coalesce`, but it can use one on `case`.
    return column.notNull ? sql`${column}` : sql`case when ${column} is null then ${last[order]} else ${column} end`;
  });
}

/** Returns the values of the requested filters that the list supports, by filter name. */
function pickFilterValues({ filters }: Pick<AnyList, 'filters'>, input: object): Record<string, unknown> {
  const requested: Record<string, unknown> = { ...input };
  return Object.fromEntries(Object.keys(filters).flatMap((name) => (requested[name] === undefined ? [] : [[name, requested[name]]])));
}

const joinWithCommas = (parts: readonly SQLChunk[]) => sql.join([...parts], sql`, `);
