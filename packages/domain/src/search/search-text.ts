const COMBINING_MARKS = /\p{M}/gu;
const MAX_SEARCH_WORDS = 8;
/** Two such keys fit one row of an index and one cursor, in any script. Names that agree this far sort by whatever comes next. */
const MAX_SORT_KEY_LENGTH = 100;

/** An acute accent typed for an apostrophe, which would be taken apart into a space and a mark. */
const ACUTE_ACCENTS = /[\u00b4\u1ffd]/g;

/**
 * What is typed for letters that have no accent to take off, and for signs of which a keyboard has one and a phone writes another.
 * Signs that look alike are written as escapes. Migration 0015 did the same to the rows that were there: a change needs another one.
 */
const TYPED_FOR: Readonly<Record<string, string>> = {
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
  // Apostrophes are dropped: with one, with another and without one it is the same name.
  '': "'`\u02b9\u02bb\u02bc\u02bd\u02be\u02bf\u055a\u05f3\u2018\u2019\u201a\u201b\u2032\u2035\ua78c",
};
const REPLACEMENTS = new Map(Object.entries(TYPED_FOR).flatMap(([typed, signs]) => Array.from(signs, (sign) => [sign, typed] as const)));
const REPLACED = new RegExp(`[${[...REPLACEMENTS.keys()].join('')}]`, 'g');
const DOUBLE_PRIME = /\u2032\u2032/g;

/**
 * Lower case, without accents and apostrophes, in plain letters, dashes and quotation marks: 'zoe' finds 'Zoë', and "o'sullivan" and
 * 'osullivan' find 'O’Sullivan'. At most 18 times as long as the text: some Arabic signs stand for a whole phrase.
 */
export function foldText(text: string): string {
  return text
    .replace(ACUTE_ACCENTS, '')
    .normalize('NFKD')
    .replace(COMBINING_MARKS, '')
    .toLowerCase()
    .replace(DOUBLE_PRIME, '"')
    .replace(REPLACED, (sign) => REPLACEMENTS.get(sign) ?? sign);
}

/** What names are sorted by: folded text of at most 100 characters, whatever was typed. */
export function sortKey(text: string): string {
  return Array.from(foldText(text)).slice(0, MAX_SORT_KEY_LENGTH).join('');
}

/** The one text a row is searched by. Phone numbers stand in it a second time without spaces, so '021555' finds '021 555 123'. */
export function searchText(parts: readonly (string | null | undefined)[], phones: readonly (string | null | undefined)[] = []): string {
  const digits = phones.flatMap((phone) => (phone ? [phone.replace(/[^\d+]/g, '')] : []));
  return foldText([...parts, ...phones, ...digits].filter(Boolean).join('\n'));
}

/** The words a search must all find, as they stand in `searchText`. */
export function searchWords(term: string): string[] {
  return foldText(term).split(/\s+/u).filter(Boolean).slice(0, MAX_SEARCH_WORDS);
}
