import type { SortOrder } from '@callout/contract/fields';
import { PAGE_SIZE } from '@callout/contract/lists';
import { parseSearchWords } from '@callout/domain/search/search-text';
import { MAX_COUNT } from '@callout/domain/text/count-format';
import { and, type GetColumnData, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { buildPage, decodeCursor } from './cursor.ts';
import {
  type AnyList,
  buildGroupsFromIndex,
  buildGroupsFromMatches,
  buildMatchConditions,
  buildSingleFilter,
  countFoundRows,
  countRows,
  type FilterValue,
  GROUP_COLUMNS,
  getKeyKind,
  getLimits,
  getPageSelect,
  getSearchedTexts,
  KEY_KINDS,
  type KeysetList,
  type ListColumns,
  type ListDefinition,
  type ListFilters,
  type PageRow,
  type PageShape,
  prepareOnce,
  type SearchShape,
} from './list-statements.ts';
import type { PreparedSelect } from './prepared-select.ts';
import { buildCandidates, buildSearchValues, getLastRank, getWordKinds } from './ranked-search.ts';
import { inCompany } from './records.ts';
import { planSearch, type SearchPlan } from './search-plan.ts';
import type { TenantScope } from './tenant-scope.ts';

type ListRow<Selected extends ListColumns> = {
  [Name in keyof Selected]: Selected[Name] extends PgColumn
    ? GetColumnData<Selected[Name]>
    : Selected[Name] extends SQL<infer Value>
      ? Value
      : never;
};

type GroupedRow = PageRow & { readonly value: string; readonly total: number; readonly is_cut: boolean };
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
  const keys = (position?.keys ?? []).map((key, index) => [`key${index}`, key] as const);
  const request: PageRequest = {
    shape: { sort, order, filters: Object.keys(filters), kinds: getWordKinds(words), start: position ? 'later' : 'first', limit },
    values: { ...filters, company: scope.companyId, id: position?.id, ...Object.fromEntries(keys), ...buildSearchValues(words) },
  };
  const found = isRanked
    ? await readRankedPage(scope, list, request, words, Number(position?.keys[0] ?? 0))
    : await readUnrankedPage(scope, list, request, words);
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
  const search = await readSearch(scope, list, words, (MAX_COUNT + 1) * values.length);
  const filters = pickFilterValues(list, input);
  const listShape = { sort, order, filters: Object.keys(filters), kinds: getWordKinds(words), start: 'first', limit: PAGE_SIZE } as const;
  const given = { ...filters, company: scope.companyId, ...buildSearchValues(words), ...search.values };
  const found = new Map<string, readonly GroupedRow[]>();
  for (const step of getGroupSteps(words, search.plan)) {
    const shape = { ...listShape, ...search.shape, ...step };
    const isLookup = words.length > 0 && !step.isWalk;
    const build = () => (isLookup ? buildGroupsFromMatches(list, shape, group) : buildGroupsFromIndex(list, shape, group));
    const select = prepareOnce(list, shape, `by ${group}`, build, GROUP_COLUMNS) as PreparedSelect<GroupedRow>;
    const unfinished = values.filter((value) => !found.has(value) || isUnfinished(found.get(value)));
    if (unfinished.length === 0) break;
    const rows = await scope.run(select, { ...given, groups: unfinished.join(',') });
    for (const [value, ofGroup] of Map.groupBy(rows, (row) => row.value)) found.set(value, ofGroup);
  }
  return values.map((value) => {
    const grouped = found.get(value) ?? [];
    const rows = grouped.filter(({ id }) => id !== null).map(({ value: _, total: __, is_cut: ___, ...row }): PageRow => row);
    const page = buildPage(rows, PAGE_SIZE, `${sort} ${order}`) as Awaited<ReturnType<typeof listRecords<Selected, Sort, Filters, Name>>>;
    return { value, page, total: grouped[0]?.total ?? 0 };
  });
}

/** Each step reads the groups for which the steps before it have not read enough rows. */
function getGroupSteps(words: readonly string[], { kind }: SearchPlan): readonly SearchShape[] {
  if (words.length === 0 || kind === 'all') return [{}];
  return kind === 'rare' ? [{ lookup: 'all' }] : [{ isWalk: true }, { lookup: 'first' }, { lookup: 'all' }];
}

const isUnfinished = (rows: readonly GroupedRow[] = []) => rows.some(({ is_cut, total }) => is_cut && total <= MAX_COUNT);

/** Counts at most one row more than `MAX_COUNT`. */
export async function countRecords<Filters extends ListFilters>(
  scope: TenantScope,
  list: KeysetList<ListColumns, string, Filters, string>,
  filter: FilterInput<Filters>,
): Promise<number> {
  const words = getSearchWords(list, filter);
  const search = await readSearch(scope, list, words, MAX_COUNT + 1);
  if (needsLookup(search.plan)) {
    const condition = buildCondition(scope, list, filter, search, 'any');
    const { rows } = await scope.db.execute<{ total: number; is_cut: boolean }>(
      countFoundRows(list, condition, search.values['candidates']),
    );
    const [found] = rows;
    if (found && (found.total > MAX_COUNT || !found.is_cut)) return found.total;
  }
  const { rows } = await scope.db.execute<{ total: number }>(countRows(list, buildCondition(scope, list, filter, search)));
  return rows[0]?.total ?? 0;
}

/** Builds the condition that the list uses for `filter`, for statements that count or sum the same rows. */
export async function buildListCondition<Filters extends ListFilters>(
  scope: TenantScope,
  list: KeysetList<ListColumns, string, Filters, string>,
  filter: FilterInput<Filters>,
): Promise<SQL | undefined> {
  return buildCondition(scope, list, filter, await readSearch(scope, list, getSearchWords(list, filter), MAX_COUNT + 1));
}

function buildCondition<Filters extends ListFilters>(
  scope: TenantScope,
  list: KeysetList<ListColumns, string, Filters, string>,
  filter: FilterInput<Filters>,
  { plan, shape, values }: SearchReading,
  lookup: 'all' | 'any' = 'all',
): SQL | undefined {
  const words = getSearchWords(list, filter);
  const given = { ...buildSearchValues(words), ...values };
  const matchShape = { kinds: getWordKinds(words), ...shape, ...(needsLookup(plan) && { lookup }) };
  const matches = buildMatchConditions(list, matchShape, (name) => sql.param(given[name]));
  return and(inCompany(scope, list.table), buildFilterCondition(list, filter), ...matches);
}

/** Builds the condition for the values in `filter` alone, ignoring the company and the search. */
export function buildFilterCondition<Filters extends ListFilters>(
  list: KeysetList<ListColumns, string, Filters, string>,
  filter: FilterInput<Filters>,
): SQL | undefined {
  return and(...Object.entries(pickFilterValues(list, filter)).map(([name, value]) => buildSingleFilter(list, name, sql.param(value))));
}

interface PageRequest {
  readonly shape: PageShape;
  readonly values: Readonly<Record<string, unknown>>;
}

interface SearchReading {
  readonly plan: SearchPlan;
  readonly shape: SearchShape;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Plans a search. Records of a list with a related table are few and all read, but related rows may be many. */
async function readSearch(scope: TenantScope, list: AnyList, words: readonly string[], wantedRows: number): Promise<SearchReading> {
  const allRows = { plan: { kind: 'all' }, shape: {}, values: {} } as const;
  if (words.length === 0) return allRows;
  const searched = getSearchedTexts(list);
  const { related } = searched;
  const plan = await planSearch(scope, related ?? searched, words, wantedRows);
  if (plan.kind === 'all') return allRows;
  const walked = plan.kind === 'common' ? { walked: Math.min(plan.walkedRows, getLimits(list).walked) } : {};
  if (!related) return { plan, shape: {}, values: { ...walked, candidates: buildCandidates(searched, plan.words) } };
  if (plan.kind === 'common') return allRows;
  return { ...allRows, shape: { usesRelatedIndex: true }, values: { related_candidates: buildCandidates(related, plan.words) } };
}

/** Whether a statement for matches in any order looks them up. If only the rows of one time match, a walk might start at the other end. */
const needsLookup = (plan: SearchPlan) => plan.kind === 'rare' || (plan.kind === 'common' && !plan.isAlways);

interface FoundRows {
  readonly rows: readonly PageRow[];
  /** Undefined unless the statement looks up a limited number of matches. */
  readonly isCut: boolean | undefined;
}

type ReadPage = (shape: SearchShape, candidates?: string) => Promise<FoundRows>;

function createPageReader(
  scope: TenantScope,
  list: AnyList,
  request: PageRequest,
  search: Omit<SearchReading, 'plan'>,
  rank = 0,
): ReadPage {
  return async (shape, candidates) => {
    // Ranks after the cursor's are read from their start.
    const start = shape.ranks && shape.ranks[0] > rank ? 'first' : request.shape.start;
    const select = getPageSelect(list, { ...request.shape, ...search.shape, ...shape, start });
    const rows = await scope.run(select, { ...request.values, ...search.values, ...(candidates !== undefined && { candidates }) });
    const isCut = rows[0]?.is_cut;
    return { rows: isCut === undefined ? rows : rows.filter(({ id }) => id !== null).map(({ is_cut: _, ...row }): PageRow => row), isCut };
  };
}

/** Reads a page in the order of a sort, although there may be very many matches, and all at the other end of the sort's index. */
async function readInOrder(read: (shape: SearchShape) => Promise<FoundRows>, limit: number, plan: SearchPlan): Promise<readonly PageRow[]> {
  if (plan.kind === 'common') {
    const { rows } = await read({ isWalk: true });
    if (rows.length > limit) return rows;
  }
  const { rows, isCut } = await read({ lookup: 'first' });
  return rows.length > limit || !isCut ? rows : (await read({ lookup: 'all' })).rows;
}

async function readUnrankedPage(scope: TenantScope, list: AnyList, request: PageRequest, words: readonly string[]) {
  const { limit } = request.shape;
  const { plan, ...search } = await readSearch(scope, list, words, limit);
  const read = createPageReader(scope, list, request, search);
  return plan.kind === 'all' ? (await read({})).rows : readInOrder(read, limit, plan);
}

/**
 * Reads the best matches first, from the sort's index. While someone types the first letters, they usually fill the page. The other matches
 * follow only if there is room left.
 */
async function readRankedPage(scope: TenantScope, list: AnyList, request: PageRequest, words: readonly string[], rank: number) {
  const { limit } = request.shape;
  const found: PageRow[] = [];
  if (rank === 0) {
    const { rows } = await createPageReader(scope, list, request, { shape: {}, values: {} })({ ranks: [0, 0] });
    found.push(...rows);
    if (found.length > limit) return found;
  }
  const { plan, ...search } = await readSearch(scope, list, words, limit);
  const read = createPageReader(scope, list, request, search, rank);
  const searched = getSearchedTexts(list);
  const lastRank = getLastRank(searched);
  if (plan.kind === 'all') return [...found, ...(await read({ ranks: [1, lastRank] })).rows];
  const readRank = async (only: number) => {
    if (only < rank || found.length > limit) return;
    const candidates = buildCandidates(searched, plan.words, only);
    found.push(...(await readInOrder((shape) => read({ ...shape, ranks: [only, only] }, candidates), limit - found.length, plan)));
  };
  const readRareRanks = async (last: number): Promise<void> => {
    if (last < Math.max(rank, 1)) return;
    const { rows, isCut } = await read({ lookup: 'any', ranks: [1, last] }, buildCandidates(searched, plan.words, last));
    if (!isCut) return void found.push(...rows);
    await readRareRanks(last - 1);
    await readRank(last);
  };
  const firstCommonRank = plan.kind === 'common' ? plan.rank : lastRank + 1;
  await readRareRanks(firstCommonRank - 1);
  for (let common = firstCommonRank; common <= lastRank; common += 1) await readRank(common);
  return found;
}

const getSearchWords = ({ search }: Pick<AnyList, 'search'>, input: { readonly search?: string | undefined }) =>
  search ? parseSearchWords(input.search ?? '') : [];

const isRankKey = (text: string) => /^\d$/.test(text);

/** Returns the values of the requested filters that the list supports, by filter name. */
function pickFilterValues({ filters }: Pick<AnyList, 'filters'>, input: object): Record<string, unknown> {
  const requested: Record<string, unknown> = { ...input };
  return Object.fromEntries(Object.keys(filters).flatMap((name) => (requested[name] === undefined ? [] : [[name, requested[name]]])));
}
