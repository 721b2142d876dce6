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
 * - 'common': so many rows have `rank` or a better one that walking the sort's index soon fills a page, unless they are all at its other
 *   end. Better ranks are rare: the text index finds them for `words`.
 */
export type SearchPlan =
  | { readonly kind: 'all' }
  | { readonly kind: 'rare'; readonly words: readonly string[] }
  | {
      readonly kind: 'common';
      readonly words: readonly string[];
      readonly rank: number;
      /** More rows than a walk reads if the matches are spread evenly. A walk that reads more is probably at the wrong end. */
      readonly walkedRows: number;
      /** True if rows of all times match, so that a walk in any order soon finds them. */
      readonly isAlways: boolean;
    };

/** A sample of the rows of a tenth of the time since the company's first row. */
interface Sample {
  readonly size: number;
  /** The company's rows, up to `SAMPLE_SIZE`. */
  readonly row_count: number;
  /** PostgreSQL's estimate of the rows of all companies. */
  readonly table_size: number;
  /** How many rows have at most rank 1, 2 and so on. */
  readonly ranks: readonly number[];
  /** How many rows contain each of the words. */
  readonly words: readonly number[];
}

export const SAMPLE_SIZE = 1000;
const PERIOD_COUNT = 10;
/** Words in a smaller share of the rows are looked up in the index. More frequent ones cost more than they exclude. */
const FREQUENT_SHARE = 0.05;

/**
 * Samples the company's rows from ten times: ids start with the time, and a firm's words change over the years. `wantedRows` is the number of
 * matches that the statement reads or counts, if there are so many.
 */
export async function planSearch(
  scope: TenantScope,
  searched: SearchedTexts,
  words: readonly string[],
  wantedRows: number,
): Promise<SearchPlan> {
  const values = { company: scope.companyId, ...buildSearchValues(words) };
  const samples = await scope.run(getSampleSelect(searched, getWordKinds(words)), values);
  const [sample] = samples;
  if (!sample || sample.row_count < SAMPLE_SIZE) return { kind: 'all' };
  const size = sumOf(samples.map((period) => period.size));
  const found = words
    .flatMap((word, index) => (canUseIndex(word) ? [{ word, share: sumOf(samples.map((period) => period.words[index] ?? 0)) / size }] : []))
    .toSorted((one, other) => one.share - other.share);
  if (found.length === 0) return { kind: 'all' };
  const commonShare = getCommonShare(sample.table_size, wantedRows);
  const shares = sample.ranks.map((_, index) => sumOf(samples.map(({ ranks }) => ranks[index] ?? 0)) / size);
  const commonRank = shares.findIndex((share) => share >= commonShare) + 1;
  const allWords = found.map(({ word }) => word);
  if (commonRank > 0) {
    const isAlways = samples.every(({ ranks, size: periodSize }) => (ranks[commonRank - 1] ?? 0) >= (commonShare / 4) * periodSize);
    const share = shares[commonRank - 1] ?? 1;
    // The share in the sample may be too low by chance if it is small. If it is large, so is the lookup that a longer walk may spare.
    const usualRows = wantedRows * Math.min(3 / share, 1.5 / commonShare);
    const walkedRows = Math.ceil(Math.max(usualRows, (share * sample.table_size) / 20));
    return { kind: 'common', words: allWords, rank: commonRank, walkedRows, isAlways };
  }
  const rareWords = found.filter(({ share }) => share < FREQUENT_SHARE).map(({ word }) => word);
  return { kind: 'rare', words: rareWords.length > 0 ? rareWords : allWords };
}

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

/**
 * Returns the share of rows that must match so that walking an index (wanted rows / share) reads no more rows than looking up all matches
 * (twice the share of the table) does: 5 of 1,000 for a page from 1,000,000 rows.
 */
const getCommonShare = (tableSize: number, wantedRows: number) => Math.sqrt(wantedRows / (2 * Math.max(tableSize, SAMPLE_SIZE)));

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
  const countEach = (conditions: readonly SQL[]) =>
    sql`json_build_array(${sql.join(
      conditions.map((condition) => sql`count(*) filter (where ${condition})`),
      sql`, `,
    )})`;
  const ofCompany = sql`${table} where ${table.company_id} = ${sql.placeholder('company')}`;
  // The first 48 bits of an id are its time.
  const timeAtEnd = (order: string) => sql`(select ('x' || left(replace(${table.id}::text, '-', ''), 12))::bit(48)::bigint
    from ${ofCompany} order by ${table.id} ${sql.raw(order)} limit 1)`;
  const lastId = sql`(lpad(to_hex(times.first + (times.last - times.first) * period / ${sql.raw(String(PERIOD_COUNT))}), 12, '0') || repeat('f', 20))::uuid`;
  const contained = found.map((_, index) => sql`${containsWord(text, words, index)} as ${sql.identifier(`word${index}`)}`);
  const fullSize = sql.raw(String(SAMPLE_SIZE));
  // OFFSET keeps the planner from looking for a word once more for every rank.
  return prepareRawSelect(
    kinds.length <= MAX_CACHED_WORDS ? `${getTableName(table)}.sample.${kinds}` : undefined,
    { size: sql``, row_count: sql``, table_size: sql``, ranks: sql``, words: sql`` },
    sql`select count(*)::int, case when sum(count(*)) over () < ${fullSize} then (
          select count(*) from (select from ${ofCompany} order by ${table.id} limit ${fullSize}) as counted) else ${fullSize} end::int,
        (select reltuples from pg_class where oid = ${sql.raw(`'${getTableName(table)}'`)}::regclass), ${countEach(ranks)}, ${countEach(found)}
      from (select ${timeAtEnd('asc')}, ${timeAtEnd('desc')}) as times (first, last)
      cross join generate_series(1, ${sql.raw(String(PERIOD_COUNT))}) as period
      cross join lateral (select * from ${ofCompany} and ${table.id} <= ${lastId}
        order by ${table.id} desc limit ${sql.raw(String(SAMPLE_SIZE / PERIOD_COUNT))}) as ${table}
      cross join lateral (select ${sql.join(contained, sql`, `)} offset 0) as found group by period`,
  );
}
