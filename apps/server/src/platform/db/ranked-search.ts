import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/** The folded texts in which a match counts more than elsewhere, best first: what the record is called, then its other names. */
export type RankedTexts = Readonly<Record<string, PgColumn>>;

/** For LIKE: the '%' and '_' of what someone typed are meant literally. */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** The values of a search, for the placeholders below. Every word is folded. */
export function searchValues(words: readonly string[]): Record<string, string> {
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

/** The patterns of the words, all of which must occur. */
export const wordPatterns = (words: number) => Array.from({ length: words }, (_, index) => sql.placeholder(`word${index}`));

/** The best match: what the record is called starts with all that was typed. */
export const startsWithPhrase = (ranked: RankedTexts) => sql`${nameIn(ranked)} like ${sql.placeholder('phrase')}`;

/**
 * How well the weakest of the words matches: 1 starts a word of the name, 2 and up occurs in another ranked text, then inside a word of
 * the name, and last anywhere else.
 */
export function rankIn(ranked: RankedTexts, words: number): SQL {
  const name = nameIn(ranked);
  const texts = [...Object.values(ranked).slice(1), name];
  const ranks = wordPatterns(words).map((pattern, index) => {
    const [start, space, dash] = ['start', 'space', 'dash'].map((kind) => sql.placeholder(`${kind}${index}`));
    const cases = texts.map((text, at) => sql`when ${text} like ${pattern} then ${number(at + 2)} `);
    return sql`case when ${name} like ${start} or ${name} like ${space} or ${name} like ${dash} then 1 ${sql.join(cases)}
      else ${number(texts.length + 2)} end`;
  });
  return sql`greatest(${sql.join(ranks, sql`, `)})`;
}

/** Which text a rank of `rankIn` stands for. */
export function matchedBy(ranked: RankedTexts, rank: SQL): SQL {
  const [name, ...others] = Object.keys(ranked);
  const labels = [name, ...others, name, 'other'].map((label) => sql.raw(`'${label}'`));
  return sql`(array[${sql.join(labels, sql`, `)}])[${rank}]`;
}

function nameIn(ranked: RankedTexts): PgColumn {
  const [name] = Object.values(ranked);
  if (!name) throw new Error('A search needs a text to rank by');
  return name;
}

/** In the text of the statement: as a value it would have no type. */
const number = (value: number) => sql.raw(String(value));
