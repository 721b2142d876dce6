import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/** The folded text columns in which a match ranks higher, best first: the record's name, then its alternative names. */
export type RankedTexts = Readonly<Record<string, PgColumn>>;

/** Escapes '%' and '_', so that LIKE matches them literally. */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** Builds the values for the placeholders that this file's other functions create. The words must already be folded. */
export function buildSearchValues(words: readonly string[]): Record<string, string> {
  const escaped = words.map(escapeLike);
  const values: Record<string, string> = { phrase: `${escaped.join(' ')}%` };
  for (const [index, word] of escaped.entries()) {
    values[`word${index}`] = `%${word}%`;
    values[`start${index}`] = `${word}%`;
    values[`space${index}`] = `% ${word}%`;
    values[`dash${index}`] = `%-${word}%`;
  }
  return values;
}

/** Builds one placeholder per word. A row matches only if it contains every word. */
export const buildWordPatterns = (words: number) => Array.from({ length: words }, (_, index) => sql.placeholder(`word${index}`));

/** Matches the best results: rows with a name that starts with the whole search text. */
export const startsWithPhrase = (ranked: RankedTexts) => sql`${getNameColumn(ranked)} like ${sql.placeholder('phrase')}`;

/**
 * Builds a row's rank, which is that of its worst-matching search word. A match at the start of a word in the name ranks 1. Matches in the
 * other ranked texts come next, then matches inside a word in the name, then matches in any other text.
 */
export function buildRank(ranked: RankedTexts, words: number): SQL {
  const name = getNameColumn(ranked);
  const texts = [...Object.values(ranked).slice(1), name];
  const ranks = buildWordPatterns(words).map((pattern, index) => {
    const [start, space, dash] = ['start', 'space', 'dash'].map((kind) => sql.placeholder(`${kind}${index}`));
    const cases = texts.map((text, position) => sql`when ${text} like ${pattern} then ${toSqlLiteral(position + 2)} `);
    return sql`case when ${name} like ${start} or ${name} like ${space} or ${name} like ${dash} then 1 ${sql.join(cases)}
      else ${toSqlLiteral(texts.length + 2)} end`;
  });
  return sql`greatest(${sql.join(ranks, sql`, `)})`;
}

/** Builds an expression that converts a rank from `buildRank` to the name of the text that matched. */
export function buildMatchedLabel(ranked: RankedTexts, rank: SQL): SQL {
  const [name, ...others] = Object.keys(ranked);
  const labels = [name, ...others, name, 'other'].map((label) => sql.raw(`'${label}'`));
  return sql`(array[${sql.join(labels, sql`, `)}])[${rank}]`;
}

function getNameColumn(ranked: RankedTexts): PgColumn {
  const [name] = Object.values(ranked);
  if (!name) throw new Error('A search needs at least one ranked text');
  return name;
}

/** Writes the value into the statement itself, because PostgreSQL can't infer the type of a parameter in a CASE. */
const toSqlLiteral = (value: number) => sql.raw(String(value));
