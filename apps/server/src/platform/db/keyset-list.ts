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
  countRows,
  type FilterValue,
  getKeyKind,
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
import { buildCandidates, buildSearchValues, getLastRank, getWordKinds, type SearchedTexts } from './ranked-search.ts';
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
    : await readPage(scope, list, request, await readSearch(scope, list, words, limit));
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
  const names = Object.keys(filters);
  const shape = { sort, order, filters: names, kinds: getWordKinds(words), start: 'first', limit: PAGE_SIZE, ...search.shape } as const;
  const isWalk = words.length === 0 || search.plan?.kind === 'common';
  const build = () => (isWalk ? buildGroupsFromIndex(list, shape, group) : buildGroupsFromMatches(list, shape, group));
  const select = prepareOnce(list, shape, `by ${group}${isWalk ? ' walked' : ''}`, build, { total: sql`` }) as PreparedSelect<CountedRow>;
  const given = { ...filters, company: scope.companyId, groups: values.join(','), ...buildSearchValues(words), ...search.values };
  const rowsByGroup = Map.groupBy(await scope.run(select, given), (row): unknown => row[group]);
  return values.map((value) => {
    const counted = rowsByGroup.get(value) ?? [];
    const rows = counted.map(({ total: _, ...row }): PageRow => row);
    const page = buildPage(rows, PAGE_SIZE, `${sort} ${order}`) as Awaited<ReturnType<typeof listRecords<Selected, Sort, Filters, Name>>>;
    return { value, page, total: counted[0]?.total ?? 0 };
  });
}

/** Counts at most one row more than `MAX_COUNT`. */
export async function countRecords<Filters extends ListFilters>(
  scope: TenantScope,
  list: KeysetList<ListColumns, string, Filters, string>,
  filter: FilterInput<Filters>,
): Promise<number> {
  const condition = await buildListCondition(scope, list, filter);
  const { rows } = await scope.db.execute<{ total: number }>(countRows(list, condition));
  return rows[0]?.total ?? 0;
}

/** Builds the condition that the list uses for `filter`, for statements that count or sum the same rows. */
export async function buildListCondition<Filters extends ListFilters>(
  scope: TenantScope,
  list: KeysetList<ListColumns, string, Filters, string>,
  filter: FilterInput<Filters>,
): Promise<SQL | undefined> {
  const words = getSearchWords(list, filter);
  const { shape, values } = await readSearch(scope, list, words, MAX_COUNT + 1);
  const given = { ...buildSearchValues(words), ...values };
  const matches = buildMatchConditions(list, { kinds: getWordKinds(words), ...shape }, (name) => sql.param(given[name]));
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
  readonly plan: SearchPlan | undefined;
  readonly shape: SearchShape;
  readonly values: Readonly<Record<string, string>>;
}

/** Plans the search for a statement that reads all matches. Records of a list with a related table are few, but related rows may be many. */
async function readSearch(scope: TenantScope, list: AnyList, words: readonly string[], wantedRows: number): Promise<SearchReading> {
  if (words.length === 0) return { plan: undefined, shape: {}, values: {} };
  const searched = getSearchedTexts(list);
  const { related } = searched;
  const plan = await planSearch(scope, related ?? searched, words, wantedRows);
  if (plan.kind !== 'rare') return { plan: related ? { kind: 'all' } : plan, shape: {}, values: {} };
  if (!related) return { plan, shape: { usesIndex: true }, values: { candidates: buildCandidates(searched, plan.words) } };
  return { plan: { kind: 'all' }, shape: { usesRelatedIndex: true }, values: { related_candidates: buildCandidates(related, plan.words) } };
}

function readPage(
  scope: TenantScope,
  list: AnyList,
  { shape, values }: PageRequest,
  search: Omit<SearchReading, 'plan'>,
): Promise<PageRow[]> {
  const pageShape = { ...shape, ...search.shape };
  return scope.run(getPageSelect(list, pageShape), { ...values, ...search.values });
}

/**
 * Reads the best matches first, from the sort's index. While someone types the first letters, they usually fill the page. The other matches
 * follow only if there is room left.
 */
async function readRankedPage(scope: TenantScope, list: AnyList, request: PageRequest, words: readonly string[], rank: number) {
  const read = ({ ranks: [first, last], shape, values }: RankedStep) => {
    const start = rank >= first ? request.shape.start : 'first';
    return readPage(scope, list, { ...request, shape: { ...request.shape, start } }, { shape: { ...shape, ranks: [first, last] }, values });
  };
  const found = rank === 0 ? await read({ ranks: [0, 0], shape: {}, values: {} }) : [];
  const { limit } = request.shape;
  if (found.length > limit) return found;
  for (const step of listRankedSteps(getSearchedTexts(list), await readSearch(scope, list, words, limit))) {
    if (step.ranks[1] >= rank) found.push(...(await read(step)));
    if (found.length > limit) break;
  }
  return found;
}

interface RankedStep extends Omit<SearchReading, 'plan'> {
  readonly ranks: readonly [first: number, last: number];
}

function listRankedSteps(searched: SearchedTexts, { plan, shape, values }: SearchReading): RankedStep[] {
  const lastRank = getLastRank(searched);
  if (plan?.kind !== 'common') return [{ ranks: [1, lastRank], shape, values }];
  const { rank, words } = plan;
  const candidates = buildCandidates(searched, words, rank - 1);
  const rare: RankedStep = { ranks: [1, rank - 1], shape: { usesIndex: true }, values: { candidates } };
  const common = Array.from({ length: lastRank - rank + 1 }, (_, index): RankedStep => {
    return { ranks: [rank + index, rank + index], shape: {}, values: {} };
  });
  return rank > 1 ? [rare, ...common] : common;
}

const getSearchWords = ({ search }: Pick<AnyList, 'search'>, input: { readonly search?: string | undefined }) =>
  search ? parseSearchWords(input.search ?? '') : [];

const isRankKey = (text: string) => /^\d$/.test(text);

/** Returns the values of the requested filters that the list supports, by filter name. */
function pickFilterValues({ filters }: Pick<AnyList, 'filters'>, input: object): Record<string, unknown> {
  const requested: Record<string, unknown> = { ...input };
  return Object.fromEntries(Object.keys(filters).flatMap((name) => (requested[name] === undefined ? [] : [[name, requested[name]]])));
}
