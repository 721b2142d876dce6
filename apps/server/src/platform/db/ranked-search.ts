import { and, getTableName, or, type SQL, type SQLChunk, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { CompanyTable } from './records.ts';

/** The folded text columns in which a match ranks higher, best first: the record's name, then its alternative names. */
export type RankedTexts = Readonly<Record<string, PgColumn>>;

/** The texts of a table that a search looks at. The table's GIN index has the same columns in the same order: see migration 0066. */
export interface SearchedTexts {
  readonly table: CompanyTable & { readonly id: PgColumn };
  /** The folded text column, which must contain every word of the search. */
  readonly text: PgColumn;
  readonly ranked: RankedTexts;
}

/** The words of a search inside a statement. */
export interface SearchWords {
  /** One character per word: 's' for a short one, which matches only at the start of a word, or 'l'. */
  readonly kinds: string;
  readonly getParam: (name: string) => SQLChunk;
}

/** Escapes '%' and '_', so that LIKE matches them literally. */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** Nearly every text contains one or two given letters, so they match only at the start of a word. Other scripts have shorter words. */
const isShortWord = (word: string) => /^[a-z\d]{1,2}$/.test(word);
/** All of these separate words for PostgreSQL's trigrams too. */
const WORD_START = String.raw`(^|[-\s+(/.@,&#"])`;

export const getWordKinds = (words: readonly string[]) => words.map((word) => (isShortWord(word) ? 's' : 'l')).join('');

/** Builds the values for the parameters that this file's other functions use. The words must already be folded. */
export function buildSearchValues(words: readonly string[]): Record<string, string> {
  const values: Record<string, string> = { phrase: words.join(' ') };
  for (const [index, word] of words.entries()) {
    const escaped = escapeLike(word);
    values[`word${index}`] = isShortWord(word) ? WORD_START + word : `%${escaped}%`;
    values[`start${index}`] = `${escaped}%`;
    values[`space${index}`] = `% ${escaped}%`;
    values[`dash${index}`] = `%-${escaped}%`;
  }
  return values;
}

/** Matches rows with a name that starts with the whole search text: rank 0. PostgreSQL finds them in the index of the names. */
export const startsWithPhrase = ({ ranked }: SearchedTexts, { getParam }: SearchWords) =>
  sql`${getNameColumn(ranked)} ^@ ${getParam('phrase')}`;

export const containsWord = (column: PgColumn, { kinds, getParam }: SearchWords, index: number) =>
  sql`${column} ${sql.raw(kinds[index] === 's' ? '~' : 'like')} ${getParam(`word${index}`)}`;

/** Matches rows that contain every word in `column`. */
export const containsWords = (column: PgColumn, words: SearchWords) =>
  sql`(${sql.join(
    Array.from(words.kinds, (_, index) => containsWord(column, words, index)),
    sql` and `,
  )})`;

/** The rank of rows that contain a search word only outside the ranked texts. */
export const getLastRank = ({ ranked }: Pick<SearchedTexts, 'ranked'>) => Object.keys(ranked).length + 2;

/**
 * Matches rows with at most the given rank, which is that of the worst-matching search word. A match at the start of a word in the name
 * ranks 1. Matches in the other ranked texts come next, then matches inside a word in the name, then matches in any other text. The last
 * condition is passed in, because a list may also find rows by other tables.
 */
export function isWithinRank(searched: SearchedTexts, words: SearchWords, rank: number, isMatch: SQL): SQL {
  if (rank === getLastRank(searched)) return isMatch;
  const name = getNameColumn(searched.ranked);
  const texts = getTextsByRank(searched).slice(0, rank - 1);
  const matches = Array.from(words.kinds, (_, index) => {
    const starts = ['start', 'space', 'dash'].map((kind) => sql`${name} like ${words.getParam(`${kind}${index}`)}`);
    return or(...(texts.includes(name) ? [] : starts), ...texts.map((text) => containsWord(text, words, index)));
  });
  return sql`(${and(...matches)})`;
}

/** Builds a row's rank, which is null if the row doesn't match. The last rank, which most rows have, is the fastest to tell. */
export function buildRank(searched: SearchedTexts, words: SearchWords, isMatch: SQL): SQL {
  const lastRank = getLastRank(searched);
  const ranks = Array.from({ length: lastRank - 2 }, (_, index) => index + 1);
  const cases = ranks.map((rank) => sql` when ${isWithinRank(searched, words, rank, isMatch)} then ${toSqlLiteral(rank)}`);
  return sql`case when ${startsWithPhrase(searched, words)} then 0
    when ${isWithinRank(searched, words, lastRank - 1, isMatch)} is not true then case when ${isMatch} then ${toSqlLiteral(lastRank)} end
    ${sql.join(cases)} else ${toSqlLiteral(lastRank - 1)} end`;
}

/** Matches rows with exactly the given rank. COALESCE makes the planner expect many matches, and so walk the sort's index. */
export function hasRank(searched: SearchedTexts, words: SearchWords, rank: number, isMatch: SQL): SQL {
  if (rank === 0) return startsWithPhrase(searched, words);
  const isBetter = [startsWithPhrase(searched, words), ...(rank > 1 ? [isWithinRank(searched, words, rank - 1, isMatch)] : [])];
  return expectMany(sql`${isWithinRank(searched, words, rank, isMatch)} and (${or(...isBetter)}) is not true`);
}

/** The planner estimates half of all rows for COALESCE. Its estimate for a word would be a few rows, and make it read and sort them all. */
export const expectMany = (condition: SQL) => sql`coalesce(${condition}, false)`;

/** Builds an expression that converts a rank to the name of the text that matched. */
export function buildMatchedLabel(ranked: RankedTexts, rank: SQL): SQL {
  const [name, ...others] = Object.keys(ranked);
  const labels = [name, name, ...others, name, 'other'].map((label) => sql.raw(`'${label}'`));
  return sql`(array[${sql.join(labels, sql`, `)}])[${rank} + 1]`;
}

/** Which of the matches to look up. Without it, all of them. */
export interface LookupLimit {
  readonly maxMatches: number;
  /** The first matches in the order of these keys. Without it, any matches. */
  readonly sort?: {
    readonly keys: readonly { readonly column: PgColumn; readonly missing: SQL | undefined }[];
    readonly isDescending: boolean;
    /** The position after which they are looked up. */
    readonly after: readonly SQLChunk[] | undefined;
  };
}

/** Selects the positions of the rows that the index returns for the words in the parameter: all that match, and perhaps a few others. */
export function selectPositions({ table, text, ranked }: SearchedTexts, candidates: SQLChunk, limit?: LookupLimit): SQL {
  const { keys = [], isDescending = false, after } = limit?.sort ?? {};
  const buildTexts = (values: readonly SQLChunk[]) => sql`array[${sql.join([...values], sql`, `)}]::text[]`;
  const buildNames = (columns: readonly PgColumn[]) => buildTexts(columns.map(({ name }) => sql.raw(`'${name}'`)));
  return sql`array(select find_first_matches(${sql.raw(`'${getTableName(table)}'`)}, ${buildNames([text, ...Object.values(ranked)])},
    ${candidates}::jsonb, ${sql.raw(String(limit?.maxMatches ?? null))}, ${buildNames(keys.map(({ column }) => column))},
    ${buildTexts(keys.map(({ missing }) => (missing ? sql`(${missing})::text` : sql`null`)))}, ${sql.raw(String(isDescending))},
    ${after ? buildTexts(after.map((key) => sql`${key}::text`)) : sql`null`}))`;
}

/** Matches rows by their positions. With an array, the planner always reads just these rows. */
export const isAtPosition = ({ table }: Pick<SearchedTexts, 'table'>, positions: SQL) => sql`${table}.ctid = any(${positions})`;

/** With each more word, twice as many combinations of words and texts are looked up. */
const MAX_COMBINED_WORDS = 3;

/** Builds the parameter of `selectPositions` for rows that have at most the given rank. The first words should be the rarest. */
export function buildCandidates(searched: SearchedTexts, words: readonly string[], rank = getLastRank(searched)): string {
  const places = listPlaces(searched, rank);
  const combinedWords = places.length > 1 ? words.slice(0, MAX_COMBINED_WORDS) : words;
  const addWord = (combinations: readonly object[][], word: string) =>
    combinations.flatMap((combination) =>
      // PostgreSQL's JSON rejects half of a surrogate pair, which the driver replaces in other parameters.
      places.map(({ place, at_start }) => [...combination, { word: word.toWellFormed(), place, at_start: at_start || isShortWord(word) }]),
    );
  return JSON.stringify(combinedWords.reduce(addWord, [[]]));
}

/** Lists the texts in which rows with at most the given rank have a word, by their places in the index: see migration 0066. */
function listPlaces(searched: SearchedTexts, rank: number): { readonly place: number; readonly at_start: boolean }[] {
  const lastRank = getLastRank(searched);
  if (rank === lastRank) return [{ place: 1, at_start: false }];
  const name = { place: 2, at_start: rank < lastRank - 1 };
  return rank > 1 && Object.keys(searched.ranked).length > 1 ? [name, { place: 3, at_start: false }] : [name];
}

/** A word of fewer than three characters has no trigram that the index could find, unless it is at the start of another word. */
export const canUseIndex = (word: string) => isShortWord(word) || /.{3}/su.test(word);

/** The ranked texts in the order of their ranks, starting with rank 2. */
function getTextsByRank({ ranked }: SearchedTexts): PgColumn[] {
  return [...Object.values(ranked).slice(1), getNameColumn(ranked)];
}

function getNameColumn(ranked: RankedTexts): PgColumn {
  const [name] = Object.values(ranked);
  if (!name) throw new Error('A search needs at least one ranked text');
  return name;
}

/** Writes the value into the statement itself, because PostgreSQL can't infer the type of a parameter in a CASE. */
const toSqlLiteral = (value: number) => sql.raw(String(value));
