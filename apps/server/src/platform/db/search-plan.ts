import { getTableName, type SQL, sql } from 'drizzle-orm';
import { MAX_CACHED_WORDS } from './list-statements.ts';
import { type PreparedSelect, prepareRawSelect } from './prepared-select.ts';
import {
  buildSearchValues,
  canUseIndex,
  containsWord,
  getLastRank,
  getWordKinds,
  isWithinRank,
  type SearchedTexts,
} from './ranked-search.ts';
import type { TenantScope } from './tenant-scope.ts';

/**
 * How to find the rows that match a search. The result is the same with every plan; a wrong guess only takes longer.
 * - 'all': read all rows of the company, because they are few.
 * - 'rare': read the rows that the text index returns for `words`, and rank them.
 * - 'common': so many rows have `rank` or a better one that walking the sort's index soon fills a page. Better ranks are rare: the text
 *   index finds them for `words`.
 */
export type SearchPlan =
  | { readonly kind: 'all' }
  | { readonly kind: 'rare'; readonly words: readonly string[] }
  | { readonly kind: 'common'; readonly words: readonly string[]; readonly rank: number };

interface Sample {
  readonly size: number;
  /** PostgreSQL's estimate of the rows of all companies. */
  readonly table_size: number;
  /** How many rows have at most rank 1, 2 and so on: twice the number in the half with fewer of them. */
  readonly ranks: readonly number[];
  /** How many rows contain each of the words. */
  readonly words: readonly number[];
}

export const SAMPLE_SIZE = 1000;
/** Words in fewer rows than this are looked up in the index. More frequent ones cost more than they exclude. */
const FREQUENT_ROW_COUNT = 50;

/**
 * Samples the company's oldest and newest rows: ids start with the time, and a firm's words change over the years. Matches are common only
 * if both halves have them: those of last week's project may be all there are, and a walk for more would read every row. `wantedRows` is
 * the number of matches that the statement reads or counts, if there are so many.
 */
export async function planSearch(
  scope: TenantScope,
  searched: SearchedTexts,
  words: readonly string[],
  wantedRows: number,
): Promise<SearchPlan> {
  const values = { company: scope.companyId, ...buildSearchValues(words) };
  const [sample] = await scope.run(getSampleSelect(searched, getWordKinds(words)), values);
  if (!sample || sample.size < SAMPLE_SIZE) return { kind: 'all' };
  const found = words
    .flatMap((word, index) => (canUseIndex(word) ? [{ word, count: sample.words[index] ?? 0 }] : []))
    .toSorted((one, other) => one.count - other.count);
  if (found.length === 0) return { kind: 'all' };
  const commonRank = sample.ranks.findIndex((count) => count >= getCommonRowCount(sample, wantedRows)) + 1;
  const allWords = found.map(({ word }) => word);
  if (commonRank > 0) return { kind: 'common', words: allWords, rank: commonRank };
  const rareWords = found.filter(({ count }) => count < FREQUENT_ROW_COUNT).map(({ word }) => word);
  return { kind: 'rare', words: rareWords.length > 0 ? rareWords : allWords };
}

/**
 * Returns how many rows of a sample must match so that walking an index (wanted rows / share) reads no more rows than looking up all matches
 * (twice the share of the table) does: 5 of 1,000 for a page from 1,000,000 rows.
 */
const getCommonRowCount = ({ table_size }: Sample, wantedRows: number) =>
  SAMPLE_SIZE * Math.sqrt(wantedRows / (2 * Math.max(table_size, SAMPLE_SIZE)));

const samples = new WeakMap<SearchedTexts['ranked'], Map<string, PreparedSelect<Sample>>>();

function getSampleSelect(searched: SearchedTexts, kinds: string): PreparedSelect<Sample> {
  const selects = samples.get(searched.ranked) ?? new Map<string, PreparedSelect<Sample>>();
  samples.set(searched.ranked, selects);
  const select = selects.get(kinds) ?? prepareSample(searched, kinds);
  if (kinds.length <= MAX_CACHED_WORDS) selects.set(kinds, select);
  return select;
}

function prepareSample(searched: SearchedTexts, kinds: string): PreparedSelect<Sample> {
  const { table, text } = searched;
  const words = { kinds, getParam: (name: string) => sql.placeholder(name) };
  const found = Array.from(kinds, (_, index) => sql`found.${sql.identifier(`word${index}`)}`);
  const isMatch = sql`(${sql.join(found, sql` and `)})`;
  const ranks = Array.from({ length: getLastRank(searched) }, (_, index) => {
    return sql`${isMatch} and ${isWithinRank(searched, words, index + 1, isMatch)}`;
  });
  const count = (condition: SQL) => sql`count(*) filter (where ${condition})`;
  const countInBothHalves = (condition: SQL) =>
    sql`2 * least(${count(sql`${condition} and half = 'asc'`)}, ${count(sql`${condition} and half = 'desc'`)})`;
  const buildArray = (counts: readonly SQL[]) => sql`json_build_array(${sql.join([...counts], sql`, `)})`;
  const half = (
    order: string,
  ) => sql`(select *, ${sql.raw(`'${order}'`)} as half from ${table} where ${table.company_id} = ${sql.placeholder('company')}
    order by ${table.id} ${sql.raw(order)} limit ${sql.raw(String(SAMPLE_SIZE / 2))})`;
  const contained = found.map((_, index) => sql`${containsWord(text, words, index)} as ${sql.identifier(`word${index}`)}`);
  // OFFSET keeps the planner from looking for a word once more for every rank.
  return prepareRawSelect(
    kinds.length <= MAX_CACHED_WORDS ? `${getTableName(table)}.sample.${kinds}` : undefined,
    { size: sql``, table_size: sql``, ranks: sql``, words: sql`` },
    sql`select count(*)::int, (select reltuples from pg_class where oid = ${sql.raw(`'${getTableName(table)}'`)}::regclass), ${buildArray(ranks.map(countInBothHalves))}, ${buildArray(found.map(count))} from (${half('asc')} union all ${half('desc')}) as ${table}
      cross join lateral (select ${sql.join(contained, sql`, `)} offset 0) as found`,
  );
}
