import type { SortOrder } from '@callout/contract/fields';
import { MAX_COUNT } from '@callout/domain/text/count-format';
import { and, type GetColumnData, getTableName, is, SQL, type SQLChunk, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { isDayKey, isInstantKey, isIntegerKey, isNumberKey, isTextKey } from './cursor.ts';
import { type PreparedSelect, prepareRawSelect } from './prepared-select.ts';
import {
  buildMatchedLabel,
  buildRank,
  containsWords,
  expectMany,
  hasRank,
  isAtPosition,
  type LookupLimit,
  type SearchedTexts,
  type SearchWords,
  selectPositions,
} from './ranked-search.ts';
import type { CompanyTable } from './records.ts';

export type ListColumns = Readonly<Record<string, PgColumn | SQL>>;

/** A column that must equal the filter's value, or a function that builds a condition on another table from that value. */
type ListFilter = PgColumn | ((value: SQLChunk) => SQL);
export type ListFilters = Readonly<Record<string, ListFilter>>;
export type FilterValue<Column extends ListFilter> = Column extends PgColumn ? GetColumnData<Column> : string;

/** A list with keyset pagination, so that late pages are as fast as the first. `list-plans.ts` tests that an index serves every sort. */
export interface ListDefinition<Selected extends ListColumns, Sort extends string, Filters extends ListFilters, Name extends string> {
  readonly table: CompanyTable & { readonly id: PgColumn };
  /** The columns of a row: those that `pickColumns` returns for the contract's schema, and expressions for data from other tables. */
  readonly columns: Selected;
  /** The columns of each sort order. Each column breaks ties left by those before it. Rows without a value come last in both directions. */
  readonly sorts: Readonly<Record<Sort, readonly PgColumn[]>>;
  readonly filters: Filters;
  /** A list without this property ignores the search text. */
  readonly search?: ListSearch<NoInfer<Sort>, Name>;
}

interface ListSearch<Sort extends string, Name extends string> extends Omit<SearchedTexts, 'table'> {
  readonly ranked: Readonly<Record<Name, PgColumn>>;
  /** Rows of another table. A record is also found if one of its rows contains the words, such as a supplier by an item. */
  readonly related?: SearchedTexts & { readonly recordId: PgColumn };
  /** Only tests have other limits than all lists. */
  readonly limits?: SearchLimits;
  /** Search results are ranked when the list uses this sort in ascending order. The sort's first key must be the first ranked text. */
  readonly rankedSort: Sort;
}

export interface KeysetList<Selected extends ListColumns, Sort extends string, Filters extends ListFilters, Name extends string>
  extends ListDefinition<Selected, Sort, Filters, Name> {
  /** Cache of prepared statements by query shape. */
  readonly selects: Map<string, PreparedSelect<PageRow>>;
}

/** A statement that looks up a limited number of matches has at least one row, even if its id is null: `is_cut` says if there are more. */
export type PageRow = Record<string, unknown> & { readonly id: string; readonly sort_keys: string; readonly is_cut?: boolean };
export type AnyList = KeysetList<ListColumns, string, ListFilters, string>;

/** Determines the SQL of a search: whether its rows, and those of the related table, are looked up in the text index. */
export interface SearchShape {
  /** Looks up all matches, a limited number of any, or of the first in the order of the sort. */
  readonly lookup?: 'all' | 'any' | 'first';
  /** Reads a limited number of rows from the sort's index. */
  readonly isWalk?: boolean;
  readonly usesRelatedIndex?: boolean;
  /** The ranks on the page. With several ranks, PostgreSQL reads and sorts all matches. */
  readonly ranks?: readonly [first: number, last: number];
}

/** The properties that determine the SQL of a page. Pages with the same shape share a prepared statement. */
export interface PageShape extends SearchShape {
  readonly sort: string;
  readonly order: SortOrder;
  readonly filters: readonly string[];
  readonly kinds: SearchWords['kinds'];
  readonly start: 'first' | 'later';
  readonly limit: number;
}

/** How many rows the statements of a search read before the next one is tried. */
interface SearchLimits {
  /** Rows of the sort's index that are read for words in many rows. */
  readonly walked: number;
  /** Matches that are looked up in any order, for words in few rows. A count looks up twice as many, and compares only those it needs. */
  readonly found: number;
  /** Matches beyond a page that are looked up in the order of the sort. They fill the page even if a filter excludes most of them. */
  readonly first: number;
}

const DEFAULT_LIMITS: SearchLimits = { walked: 20_000, found: 3000, first: 500 };

export const getPageSelect = (list: AnyList, shape: PageShape) =>
  prepareOnce(list, shape, 'list', () => {
    if (isLimitedLookup(shape)) return buildPageOfFound(list, shape);
    return isWalkOfRank(shape) ? buildPageOfRank(list, shape, shape.ranks[0]) : buildPageOfMatches(list, shape);
  });

const isLimitedLookup = ({ lookup }: SearchShape) => lookup === 'any' || lookup === 'first';

const isWalkOfRank = (shape: PageShape): shape is PageShape & Required<Pick<PageShape, 'ranks'>> =>
  shape.ranks?.[0] === shape.ranks?.[1] && shape.ranks !== undefined && !shape.lookup;

/** Searches for more words have so many shapes that keeping all of them could exhaust the memory. */
export const MAX_CACHED_WORDS = 2;

export function prepareOnce(
  list: AnyList,
  shape: PageShape,
  kind: string,
  build: () => SQL,
  extra: ListColumns = {},
): PreparedSelect<PageRow> {
  const { sort, order, filters, kinds, start, limit, lookup, isWalk, usesRelatedIndex, ranks } = shape;
  const search = kinds === '' ? [] : [kinds, lookup, isWalk, usesRelatedIndex, ranks];
  const key = [getTableName(list.table), kind, sort, order, ...filters, start, limit, ...search].join('.');
  let select = list.selects.get(key);
  if (!select) {
    const fields = { ...list.columns, matched: sql``, sort_keys: sql``, ...extra, ...(isLimitedLookup(shape) && { is_cut: sql`` }) };
    // If the best index depends on how many rows match, leave the statement unnamed, so that PostgreSQL plans every execution.
    const dependsOnValues = kinds !== '' || filters.some((filter) => typeof list.filters[filter] === 'function');
    select = prepareRawSelect<PageRow>(dependsOnValues ? undefined : key, fields, build());
    if (kinds.length <= MAX_CACHED_WORDS) list.selects.set(key, select);
  }
  return select;
}

const RANK_COLUMN = sql`ranked.rank`;
const getPlaceholder = (name: string) => sql.placeholder(name);

/** Builds a page in the order of the sort. With several ranks, they come first, so that PostgreSQL reads and sorts all matches. */
function buildPageOfMatches(list: AnyList, shape: PageShape): SQL {
  const { table, keys, isAfter } = buildSource(list, shape, [...(shape.ranks ? [RANK_COLUMN] : []), ...buildSortKeys(list, shape)], 0);
  return sql`select ${buildPageSelection(list, shape, keys)} ${buildPageFrom(list, shape, isAfter, table)} ${buildOrderAndLimit(list, keys, shape)}`;
}

/** Finds the page's ids first, because the sort's index may contain all texts that their rank depends on. */
function buildPageOfRank(list: AnyList, shape: PageShape, rank: number): SQL {
  const searched = getSearchedTexts(list);
  const keys = buildSortKeys(list, shape);
  const words = { kinds: shape.kinds, getParam: getPlaceholder };
  const source = buildSource(list, shape, keys, 1);
  const isOnPage = and(
    ...(shape.isWalk ? [] : buildConditions(list, shape)),
    hasRank(searched, words, rank, isMatch(list, shape, getPlaceholder)),
    source.isAfter,
  );
  const rankKey = sql.raw(String(rank));
  return sql`select ${buildSelection(list, buildMatchedLabel(searched.ranked, rankKey), [rankKey, ...keys])}
    from ${list.table} where ${list.table.company_id} = ${sql.placeholder('company')} and ${list.table.id} = any(array(
      select ${list.table.id} from ${source.table} where ${isOnPage} ${buildOrderAndLimit(list, source.keys, shape)}))
    ${buildOrderBy(list, keys, shape.order)}`;
}

/** The rows that a page is read from. A walk reads a limited number of them, in the order of the sort, and matches these. */
function buildSource(list: AnyList, shape: PageShape, keys: readonly SQL[], firstKey: number, isInGroup?: SQL) {
  const { table } = list;
  const isAfter = shape.start === 'later' ? isAfterPosition(list, keys, shape.order, firstKey) : undefined;
  if (!shape.isWalk) return { table: sql`${table}`, keys, isAfter };
  const walked = sql`(select ${table}.*, ${buildKeyAliases(keys)} from ${table} where ${and(...buildConditions(list, shape), isInGroup, isAfter)}
    ${buildOrderBy(list, keys, shape.order)} limit ${getPlaceholder('walked')}) as ${table}`;
  return { table: walked, keys: keys.map((_, index) => sql`${table}.${sql.identifier(`key${index}`)}`), isAfter: undefined };
}

/**
 * Builds a page from a limited number of matches, and adds whether the lookup has found as many rows as it may. A page without rows gets a row
 * for that.
 */
function buildPageOfFound(list: AnyList, shape: PageShape): SQL {
  const keys = [...(shape.ranks ? [RANK_COLUMN] : []), ...buildSortKeys(list, shape)];
  const isAfter = shape.start === 'later' ? isAfterPosition(list, keys, shape.order, 0) : undefined;
  return sql`${buildLookup(list, shape, getPlaceholder)} select ${buildSelectionOfPage(list)}, ${IS_CUT}
    from lookup left join (select ${buildPageSelection(list, shape, keys)}, ${buildKeyAliases(keys)}
      ${buildPageFrom(list, shape, isAfter)} ${buildOrderAndLimit(list, keys, shape)}) as page on true ${buildOrderByPage(keys, shape)}`;
}

const IS_CUT = sql`cardinality(lookup.positions) >= lookup.max_matches as is_cut`;
const FOUND_POSITIONS = sql`(select positions from lookup)::tid[]`;

/** Looks up a limited number of matches, for conditions that refer to them. */
function buildLookup(
  list: AnyList,
  shape: SearchShape & Partial<PageShape>,
  getParam: SearchWords['getParam'],
  maxMatches = getMaxMatches(list, shape),
): SQL {
  const sort = shape.lookup === 'first' ? buildLookupSort(list, shape as PageShape) : undefined;
  const positions = selectPositions(getSearchedTexts(list), getParam('candidates'), { maxMatches, ...(sort && { sort }) });
  return sql`with lookup as materialized (select ${positions} as positions, ${sql.raw(String(maxMatches))} as max_matches)`;
}

function getMaxMatches(list: AnyList, { lookup, limit }: SearchShape & Partial<PageShape>): number {
  const { first, found } = getLimits(list);
  if (lookup === 'first') return first + (limit ?? 0);
  return limit === undefined ? 2 * found : found;
}

function buildLookupSort({ sorts, table }: AnyList, { sort, order, start, ranks }: PageShape): NonNullable<LookupLimit['sort']> {
  const columns = sorts[sort] ?? [];
  const position = columns.map((_, index) => getPlaceholder(`key${index + (ranks ? 1 : 0)}`));
  return {
    keys: [...columns, table.id].map((column) => ({
      column,
      missing: column.notNull ? undefined : KEY_KINDS[getKeyKind(column)].last[order],
    })),
    isDescending: order === 'desc',
    after: start === 'later' ? [...position, getPlaceholder('id')] : undefined,
  };
}

const GROUPS = sql`unnest(string_to_array(${sql.placeholder('groups')}, ',')) as groups (value)`;

/** The columns that a statement by groups adds to each row of a page. A group without rows gets one row, whose id is null. */
export const GROUP_COLUMNS = { value: sql``, total: sql``, is_cut: sql`` };

/** Reads the start of each group from the index. A walk reads a limited number of its rows: `is_cut` says that it has more. */
export function buildGroupsFromIndex(list: AnyList, shape: PageShape, group: string): SQL {
  const keys = buildSortKeys(list, shape);
  const isInGroup = buildSingleFilter(list, group, sql`groups.value`);
  const rowsOfGroup = and(...buildConditions(list, shape), isInGroup);
  const source = buildSource(list, shape, keys, 0, isInGroup);
  const counted = and(shape.isWalk ? undefined : rowsOfGroup, ...buildMatchConditions(list, shape, getPlaceholder));
  // OFFSET keeps the planner from counting what was walked once more for every row of the page.
  const isCut = shape.isWalk
    ? sql`total <= ${sql.raw(String(MAX_COUNT))} and ${getPlaceholder('walked')} =
        (select count(*) from (select from ${list.table} where ${rowsOfGroup} limit ${getPlaceholder('walked')}) as walked)`
    : sql`false`;
  return sql`select ${buildSelectionOfPage(list)}, groups.value, counted.total, counted.is_cut from ${GROUPS}
    cross join lateral (select total, ${isCut} as is_cut from (${countRows(source, counted)}) as matches offset 0) as counted
    left join lateral (
      select ${buildPageSelection(list, shape, source.keys)}, ${buildKeyAliases(source.keys)}
        ${buildPageFrom(list, shape, shape.isWalk ? sql`counted.total > 0` : isInGroup, source.table)} ${buildOrderAndLimit(list, source.keys, shape)}
    ) as page on true ${buildOrderByPage(keys, shape)}`;
}

/** Looks up the matches once, all of them or a limited number, and then groups them. */
export function buildGroupsFromMatches(list: AnyList, shape: PageShape, group: string): SQL {
  const { table } = list;
  const keys = buildSortKeys(list, shape);
  const column = list.columns[group];
  const isLimited = isLimitedLookup(shape);
  const lookup = isLimited ? sql`${buildLookup(list, shape, getPlaceholder, 2 * getLimits(list).found)},` : sql`with`;
  const isInGroups = sql`${column} = any(string_to_array(${sql.placeholder('groups')}, ','))`;
  const matching = and(...buildConditions(list, shape), ...buildMatchConditions(list, shape, getPlaceholder), isInGroups);
  return sql`${lookup} found as materialized (
      select ${table.id} as id, least(count(*) over (partition by ${column}), ${sql.raw(String(MAX_COUNT + 1))})::int as total,
        row_number() over (partition by ${column} ${buildOrderBy(list, keys, shape.order)}) as row_index from ${table} where ${matching})
    select ${buildSelectionOfPage(list)}, groups.value, coalesce(page.total, 0) as total, ${isLimited ? IS_CUT : sql`false as is_cut`}
    from ${GROUPS} ${isLimited ? sql`cross join lookup` : sql``} left join (
      select ${buildPageSelection(list, shape, keys)}, found.total, ${buildKeyAliases(keys)} from found
        join ${table} on ${table.company_id} = ${sql.placeholder('company')} and ${table.id} = found.id ${buildRankJoin(list, shape)}
      where found.row_index <= ${sql.raw(String(shape.limit + 1))}
    ) as page on page.${sql.identifier(group)} = groups.value ${buildOrderByPage(keys, shape)}`;
}

const buildSelectionOfPage = (list: AnyList) => joinWithCommas([...Object.keys(list.columns), 'matched', 'sort_keys'].map(getPageColumn));

const getPageColumn = (name: string) => sql`page.${sql.identifier(name)}`;

const buildOrderByPage = (keys: readonly SQL[], { order }: PageShape) =>
  sql`order by ${joinWithCommas([...keys.map((_, index) => `key${index}`), 'id'].map((name) => sql`${getPageColumn(name)} ${sql.raw(order)}`))}`;

/** Counts the rows among a limited number of matches. */
export const countFoundRows = (list: AnyList, condition: SQL | undefined, candidates: unknown) =>
  sql`${buildLookup(list, { lookup: 'any' }, () => sql.param(candidates))} select (${countRows(list, condition)}) as total, ${IS_CUT} from lookup`;

export const countRows = ({ table }: { readonly table: unknown }, condition: SQL | undefined) =>
  sql`select count(*)::int as total from (select from ${table} where ${condition} limit ${sql.raw(String(MAX_COUNT + 1))}) as matching`;

function buildPageSelection(list: AnyList, { kinds }: PageShape, keys: readonly SQL[]): SQL {
  return buildSelection(list, kinds === '' ? sql`null::text` : buildMatchedLabel(getSearchedTexts(list).ranked, RANK_COLUMN), keys);
}

function buildPageFrom(list: AnyList, shape: PageShape, condition: SQL | undefined, source = sql`${list.table}`): SQL {
  const { ranks, isWalk } = shape;
  const hasListedRank = ranks && sql`${RANK_COLUMN} between ${sql.raw(String(ranks[0]))} and ${sql.raw(String(ranks[1]))}`;
  const conditions = [...buildMatchConditions(list, shape, getPlaceholder), hasListedRank, condition];
  return sql`from ${source} ${buildRankJoin(list, shape)} where ${and(...(isWalk ? [] : buildConditions(list, shape)), ...conditions)}`;
}

function buildRankJoin(list: AnyList, shape: PageShape): SQL {
  if (shape.kinds === '') return sql``;
  const words = { kinds: shape.kinds, getParam: getPlaceholder };
  const rank = buildRank(getSearchedTexts(list), words, isMatch(list, shape, getPlaceholder));
  // OFFSET keeps the planner from copying the expression to every place that uses it.
  return sql`cross join lateral (select ${rank} as rank offset 0) as ranked`;
}

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

export function buildSingleFilter({ filters }: Pick<AnyList, 'filters'>, name: string, value: SQLChunk): SQL {
  const filter = filters[name];
  if (!filter) throw new Error(`The list has no filter ${name}`);
  return typeof filter === 'function' ? filter(value) : sql`${filter} = ${value}`;
}

type MatchShape = SearchShape & Pick<PageShape, 'kinds'>;

/** Matches rows that contain the search words. With ranks, only narrows down the rows, because the ranks exclude those without a match. */
export function buildMatchConditions(list: AnyList, shape: MatchShape, getParam: SearchWords['getParam']): SQL[] {
  if (shape.kinds === '') return [];
  const searched = getSearchedTexts(list);
  const positions = shape.lookup === 'all' ? selectPositions(searched, getParam('candidates')) : FOUND_POSITIONS;
  const candidates = shape.lookup ? [isAtPosition(list, positions)] : [];
  return shape.ranks ? candidates : [...candidates, expectMany(isMatch(list, shape, getParam))];
}

function isMatch(list: AnyList, { kinds, usesRelatedIndex }: MatchShape, getParam: SearchWords['getParam']): SQL {
  const { table, text, related } = getSearchedTexts(list);
  const words = { kinds, getParam };
  if (!related) return containsWords(text, words);
  const [company, isRelatedMatch] = [related.table.company_id, containsWords(related.text, words)];
  // Rare words are looked up once, not once per record.
  const isFoundByRelated = usesRelatedIndex
    ? sql`(${table.company_id}, ${table.id}) in (select ${company}, ${related.recordId} from ${related.table}
        where ${isAtPosition(related, selectPositions(related, getParam('related_candidates')))} and ${isRelatedMatch})`
    : sql`exists (select from ${related.table}
        where ${company} = ${table.company_id} and ${related.recordId} = ${table.id} and ${isRelatedMatch})`;
  return sql`(${containsWords(text, words)} or ${isFoundByRelated})`;
}

export const getLimits = ({ search }: AnyList) => search?.limits ?? DEFAULT_LIMITS;

export function getSearchedTexts({ table, search }: AnyList) {
  if (!search) throw new Error('The list has no search');
  return { ...search, table };
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
export const KEY_KINDS = {
  text: { isValidKey: isTextKey, last: { asc: sql.raw(`U&'\\+10FFFF'`), desc: sql`''` } },
  integer: { isValidKey: isIntegerKey, last: { asc: sql`2147483647`, desc: sql`-2147483648` } },
  number: { isValidKey: isNumberKey, last: { asc: sql`'Infinity'`, desc: sql`'-Infinity'` } },
  instant: { isValidKey: isInstantKey, last: { asc: sql`'infinity'`, desc: sql`'-infinity'` } },
  day: { isValidKey: isDayKey, last: { asc: sql`'infinity'`, desc: sql`'-infinity'` } },
};

export function getKeyKind(column: PgColumn): keyof typeof KEY_KINDS {
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

const joinWithCommas = (parts: readonly SQLChunk[]) => sql.join([...parts], sql`, `);
