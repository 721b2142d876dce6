const COMBINING_MARKS = /\p{M}/gu;
const MAX_SEARCH_WORDS = 8;
/** Longer than any text that can be entered, but not than the phrases that it may expand to. Every search scans some of these texts. */
const MAX_PART_LENGTH = 20_000;
/** Two sort keys of this length fit in an index row and a cursor, in any script. Names with equal keys sort by the next column. */
const MAX_SORT_KEY_LENGTH = 100;

/** Acute accents typed as apostrophes, which NFKD would split into a space and a combining mark. */
const ACUTE_ACCENTS = /[\u00b4\u1ffd]/g;

/**
 * Maps what people type to the characters they mean: letters without a removable accent, and punctuation that differs between phones and
 * keyboards. Lookalikes are written as escapes. Migration 0015 applied this mapping to existing rows, so changing it needs a new migration.
 */
const TYPED_FORMS: Readonly<Record<string, string>> = {
  ae: 'æ',
  b: 'ƀɓ',
  c: 'ƈ',
  d: 'đðɖɗ',
  e: 'əɛ',
  f: 'ƒ',
  g: 'ɠ',
  h: 'ħ',
  i: 'ıɨ',
  j: 'ȷ',
  k: 'ĸƙ',
  l: 'łƚ',
  n: 'ŋɲ',
  o: 'øɔ',
  oe: 'œ',
  p: 'ƥ',
  ss: 'ß',
  t: 'ŧƭ',
  th: 'þ',
  u: 'ʉ',
  v: 'ʋ',
  y: 'ƴ',
  z: 'ƶ',
  σ: 'ς',
  '-': '\u058a\u05be\u2010\u2012\u2013\u2014\u2015\u2043\u2212\u2e3a\u2e3b',
  '"': '\u201c\u201d\u201e\u201f',
  // Apostrophes are dropped, so that O'Sullivan, O’Sullivan and OSullivan match each other.
  '': "'`\u02b9\u02bb\u02bc\u02bd\u02be\u02bf\u055a\u05f3\u2018\u2019\u201a\u201b\u2032\u2035\ua78c",
};
const REPLACEMENTS = new Map(Object.entries(TYPED_FORMS).flatMap(([typed, chars]) => Array.from(chars, (char) => [char, typed] as const)));
const REPLACEABLE = new RegExp(`[${[...REPLACEMENTS.keys()].join('')}]`, 'g');
const DOUBLE_PRIME = /\u2032\u2032/g;

/**
 * Lowercases, strips accents and apostrophes, and unifies dashes and quotation marks: 'zoe' finds 'Zoë', and 'osullivan' finds
 * 'O’Sullivan'. The result is up to 18 times as long as the text, because some Arabic ligatures expand to a whole phrase.
 */
export function normalizeForSearch(text: string): string {
  return text
    .replace(ACUTE_ACCENTS, '')
    .normalize('NFKD')
    .replace(COMBINING_MARKS, '')
    .toLowerCase()
    .replace(DOUBLE_PRIME, '"')
    .replace(REPLACEABLE, (char) => REPLACEMENTS.get(char) ?? char);
}

/** Builds the sort key of a name: its normalized text, cut to 100 characters. */
export function buildSortKey(text: string): string {
  return Array.from(normalizeForSearch(text)).slice(0, MAX_SORT_KEY_LENGTH).join('');
}

/** Builds the text in which searches look for words. Repeats phone numbers without spaces, so that '021555' finds '021 555 123'. */
export function buildSearchText(
  parts: readonly (string | null | undefined)[],
  phones: readonly (string | null | undefined)[] = [],
): string {
  const digits = phones.flatMap((phone) => (phone ? [phone.replace(/[^\d+]/g, '')] : []));
  return [...parts, ...phones, ...digits].flatMap((part) => (part ? [normalizeForSearch(part).slice(0, MAX_PART_LENGTH)] : [])).join('\n');
}

/** A comma within a number, as in 1,204.50, separates nothing. */
const WORD_SEPARATORS = /[\s;]+|(?<!\d),|,(?!\d)/u;
const PUNCTUATION_AROUND_WORD = /^[#([{"]+|[.:!?)\]}"]+$/gu;

/**
 * Splits a search term into normalized words, all of which must occur in the row's search text. Removes the punctuation around a word, so
 * that '#J26110063' and 'Smith, Anna' find what they name.
 */
export function parseSearchWords(term: string): string[] {
  const words = normalizeForSearch(term).split(WORD_SEPARATORS).filter(Boolean);
  return words.map((word) => word.replace(PUNCTUATION_AROUND_WORD, '') || word).slice(0, MAX_SEARCH_WORDS);
}
