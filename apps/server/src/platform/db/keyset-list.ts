import type { SortOrder } from '@callout/contract/fields';
import { PAGE_SIZE } from '@callout/contract/lists';
import { searchWords } from '@callout/domain/search/search-text';
import { and, count, eq, type GetColumnData, getTableName, like, type Placeholder, type SQL, type SQLChunk, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { isInstantKey, isTextKey, pageOf, readCursor } from './cursor.ts';
import { type PreparedSelect, prepareSelect } from './prepared-select.ts';
import { type Columns, type CompanyTable, inCompany, type RowOf } from './records.ts';
import type { TenantScope } from './tenant-scope.ts';

/**
 * A list that is read page by page: a page starts after the last row of the one before, however many rows come before it. Its columns are
 * `columnsOf` its contract's row. `apps/server/test/list-plans.ts` checks that every sort is served by an index.
 */
interface ListDefinition<Selected extends Columns, Sort extends string, Filters extends Columns, Name extends string> {
  readonly table: CompanyTable & { readonly id: PgColumn };
  readonly columns: Selected;
  /**
   * What each sort goes by: texts or instants, the later ones for rows that are equal in the earlier ones, and the id after them. Rows
   * without a value come last in both directions.
   */
  readonly sorts: Readonly<Record<Sort, readonly PgColumn[]>>;
  /** Columns that can be asked to have one value. */
  readonly filters: Filters;
  readonly search: {
    /** The folded text in which every word of a search must occur. */
    readonly text: PgColumn;
    /** The folded texts in which a match counts more than elsewhere, best first: what the record is called, then its other names. */
    readonly ranked: Readonly<Record<Name, PgColumn>>;
    /** In this sort, ascending, the results of a search are ranked. */
    readonly rankedSort: NoInfer<Sort>;
  };
}

export interface KeysetList<Selected extends Columns, Sort extends string, Filters extends Columns, Name extends string>
  extends ListDefinition<Selected, Sort, Filters, Name> {
  /** By shape, those asked so far. */
  readonly queries: Map<string, PageQuery>;
}

type PageRow = Record<string, unknown> & { readonly id: string; readonly sort_keys: string };
type Filter<Filters extends Columns> = { readonly search?: string | undefined } & {
  readonly [Column in keyof Filters]?: GetColumnData<Filters[Column]> | undefined;
};
export type ListInput<Sort extends string, Filters extends Columns> = Filter<Filters> & {
  readonly sort: Sort;
  readonly order: SortOrder;
  readonly cursor?: string | undefined;
};
type AnyList = KeysetList<Columns, string, Columns, string>;

export function defineList<Selected extends Columns, Sort extends string, Filters extends Columns, Name extends string>(
  definition: ListDefinition<Selected, Sort, Filters, Name>,
): KeysetList<Selected, Sort, Filters, Name> {
  return { ...definition, queries: new Map() };
}

export async function listRecords<Selected extends Columns, Sort extends string, Filters extends Columns, Name extends string>(
  scope: TenantScope,
  list: KeysetList<Selected, Sort, Filters, Name>,
  input: ListInput<Sort, Filters>,
): Promise<{ rows: (RowOf<Selected> & { matched: Name | 'other' | null })[]; next_cursor: string | null }> {
  const words = searchWords(input.search ?? '');
  const { select, sorted, isKey } = pageQuery(list, input, words.length);
  const position = input.cursor === undefined ? undefined : readCursor(input.cursor, sorted, isKey);
  const found = await scope.run(select, {
    ...filterValues(list, input),
    company: scope.companyId,
    id: position?.id,
    ...numbered('key', position?.keys ?? []),
    ...searchValues(words),
  });
  return pageOf(found, PAGE_SIZE, sorted) as Awaited<ReturnType<typeof listRecords<Selected, Sort, Filters, Name>>>;
}

export async function countRecords<Filters extends Columns>(
  scope: TenantScope,
  list: KeysetList<Columns, string, Filters, string>,
  filter: Filter<Filters>,
): Promise<number> {
  const { table, search } = list;
  const isWanted = Object.entries(filterValues(list, filter)).map(([name, value]) => eq(columnOf(list.filters, name), value));
  const hasWords = searchWords(filter.search ?? '').map((word) => like(search.text, `%${escapeLike(word)}%`));
  const rows = await scope.db
    .select({ total: count() })
    .from(table)
    .where(and(inCompany(scope, table), ...isWanted, ...hasWords));
  return rows[0]?.total ?? 0;
}

/** How one shape of question is answered: sort, direction, filters, number of words, first or later page. */
interface PageQuery {
  readonly select: PreparedSelect<PageRow>;
  /** Names the sort in cursors: read in another one, the same position would skip rows. */
  readonly sorted: string;
  readonly isKey: readonly SortKey['isKey'][];
}

function pageQuery(list: AnyList, input: ListInput<string, Columns>, words: number): PageQuery {
  const { sort, order, cursor } = input;
  const filters = Object.keys(filterValues(list, input));
  const shape = [getTableName(list.table), 'list', sort, order, ...filters, cursor === undefined ? 'first' : 'later', words].join('.');
  let query = list.queries.get(shape);
  if (!query) {
    const isRanked = words > 0 && sort === list.search.rankedSort && order === 'asc';
    const sortKeys = (list.sorts[sort] ?? []).map((column) => sortKeyOf(column, order));
    const keys = isRanked ? [RANK_KEY, ...sortKeys] : sortKeys;
    // A search has no name, so that it is planned each time: the best index depends on how common the words are.
    const name = words > 0 ? undefined : shape;
    query = {
      select: preparePage(list, { name, keys, order, filters, words, isLater: cursor !== undefined }),
      sorted: `${isRanked ? 'rank' : sort} ${order}`,
      isKey: keys.map(({ isKey }) => isKey),
    };
    list.queries.set(shape, query);
  }
  return query;
}

interface PageShape {
  readonly name: string | undefined;
  readonly keys: readonly SortKey[];
  readonly order: SortOrder;
  readonly filters: readonly string[];
  readonly words: number;
  readonly isLater: boolean;
}

function preparePage({ table, columns, filters, search }: AnyList, shape: PageShape): PreparedSelect<PageRow> {
  const { order, words, isLater } = shape;
  const sortKeys = shape.keys.map(({ expression }) => expression);
  const keys = [...sortKeys, sql`${table.id}`];
  const position = [...placeholders('key', sortKeys.length), sql`${sql.placeholder('id')}::uuid`];
  const matched = (words > 0 ? matchedIn(search.ranked) : sql`null::text`).as('matched');
  const selected: Record<string, PgColumn | SQL | SQL.Aliased> = { ...columns, matched, sort_keys: sortKeysText(sortKeys) };
  return prepareSelect(shape.name, selected, (select) => {
    const rows = select.from(table).$dynamic();
    if (words > 0) rows.crossJoinLateral(sql`(select ${rankIn(Object.values(search.ranked), words)} as rank) as ranked`);
    return (
      rows
        .where(
          and(
            sql`${table.company_id} = ${sql.placeholder('company')}`,
            ...shape.filters.map((filter) => sql`${columnOf(filters, filter)} = ${sql.placeholder(filter)}`),
            ...placeholders('word', words).map((word) => like(search.text, word)),
            isLater ? sql`(${joined(keys)}) ${order === 'asc' ? sql`>` : sql`<`} (${joined(position)})` : undefined,
          ),
        )
        // All keys in one direction: then one index gives the order, and one comparison of rows the start of the next page.
        .orderBy(joined(keys.map((key) => sql`${key} ${order === 'asc' ? sql`asc` : sql`desc`}`)))
        .limit(PAGE_SIZE + 1)
    );
  }) as PreparedSelect<PageRow>;
}

interface SortKey {
  readonly expression: SQL;
  /** What its text looks like in a cursor. */
  readonly isKey: (text: string) => boolean;
}

const RANK_KEY: SortKey = { expression: sql`ranked.rank`, isKey: (text) => /^\d$/.test(text) };

/** Stands for a missing value and sorts after all others. The indexes have the same expressions. */
const LAST = {
  text: { asc: sql.raw(`U&'\\+10FFFF'`), desc: sql`''` },
  instant: { asc: sql`'infinity'`, desc: sql`'-infinity'` },
};

function sortKeyOf(column: PgColumn, order: SortOrder): SortKey {
  const kind = column.getSQLType() === 'text' ? 'text' : 'instant';
  if (kind === 'instant' && !column.getSQLType().startsWith('timestamp')) throw new Error(`A list cannot sort by ${column.name}`);
  // Not coalesce: under row-level security the planner would not use it, and read a list from its start to find a later page.
  const expression = column.notNull ? sql`${column}` : sql`case when ${column} is null then ${LAST[kind][order]} else ${column} end`;
  return { expression, isKey: kind === 'text' ? isTextKey : isInstantKey };
}

/** The column `sort_keys` of a page: text that only its last row is read from. */
function sortKeysText(keys: readonly SQL[]): SQL<string> {
  return sql<string>`json_build_array(${joined(keys.map((key) => sql`(${key})::text`))})::text`;
}

/** Signs that end a word as a space does: 'jones' starts a word of 'smith-jones'. */
const WORD_BREAKS = '-/("&.,+';

/**
 * How well a search matches: 0 when the first text starts with it. Otherwise its weakest word decides: 1 starts a word of the first text,
 * 2 and up occurs in one of the other texts, then comes the inside of a word of the first text, and last anything else.
 */
function rankIn([first, ...others]: readonly PgColumn[], words: number): SQL {
  if (!first) throw new Error('A search needs a text to rank by');
  const inside = others.length + 2;
  const ranks = Array.from({ length: words }, (_, index) => {
    const occurs = sql.placeholder(`word${index}`);
    return sql`case when ' ' || translate(${first}, ${sql.raw(`'${WORD_BREAKS}'`)}, '        ') like ${sql.placeholder(`start${index}`)} then 1
      ${sql.join(others.map((other, at) => sql`when ${other} like ${occurs} then ${sql.raw(String(at + 2))} `))}
      when ${first} like ${occurs} then ${sql.raw(String(inside))} else ${sql.raw(String(inside + 1))} end`;
  });
  return sql`case when ${first} like ${sql.placeholder('phrase')} then 0 else greatest(${joined(ranks)}) end`;
}

/** The name of the text that the rank stands for. */
function matchedIn(ranked: Readonly<Record<string, PgColumn>>): SQL<string> {
  const [first, ...others] = Object.keys(ranked);
  const names = [first, first, ...others, first, 'other'].map((name) => sql.raw(`'${name}'`));
  return sql<string>`(array[${joined(names)}])[ranked.rank + 1]`;
}

function searchValues(words: readonly string[]): Record<string, string> {
  const occurs = words.map((word) => `%${escapeLike(word)}%`);
  const starts = words.map((word) => `% ${escapeLike(withSpaces(word).trim() || word)}%`);
  return { phrase: `${escapeLike(words.join(' '))}%`, ...numbered('word', occurs), ...numbered('start', starts) };
}

const withSpaces = (word: string) => Array.from(word, (sign) => (WORD_BREAKS.includes(sign) ? ' ' : sign)).join('');
const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** The filters that were asked for, by column. */
function filterValues(list: Pick<AnyList, 'filters'>, input: object): Record<string, unknown> {
  const asked: Record<string, unknown> = { ...input };
  return Object.fromEntries(Object.keys(list.filters).flatMap((name) => (asked[name] === undefined ? [] : [[name, asked[name]]])));
}

function columnOf(columns: Columns, name: string): PgColumn {
  const column = columns[name];
  if (!column) throw new Error(`There is no column ${name}`);
  return column;
}

const numbered = (name: string, values: readonly string[]) => Object.fromEntries(values.map((value, index) => [`${name}${index}`, value]));
const placeholders = (name: string, length: number): Placeholder[] =>
  Array.from({ length }, (_, index) => sql.placeholder(`${name}${index}`));
const joined = (parts: readonly SQLChunk[]) => sql.join([...parts], sql`, `);
