import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/** The folded text columns in which a match ranks higher, best first: the record's name, then its alternative names. */
export type RankedTexts = Readonly<Record<string, PgColumn>>;

/** Escapes '%' and '_', so that LIKE matches them literally. */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** Builds the values for the placeholders in the functions below. The words must already be folded. */
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

/** Matches rows with a name that starts with the whole search text, which are the best matches. */
export const startsWithPhrase = (ranked: RankedTexts) => sql`${getNameColumn(ranked)} like ${sql.placeholder('phrase')}`;

/**
 * Builds the rank of a row's weakest word: 1 if it starts a word of the name, from 2 if it occurs in another ranked text, then if it occurs
 * inside a word of the name, and last if it occurs anywhere else.
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

/** Builds an expression for the name of the text that a rank from `buildRank` refers to. */
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

/** Writes the value into the statement, because PostgreSQL can't infer a parameter's type here. */
const toSqlLiteral = (value: number) => sql.raw(String(value));
