const COMBINING_MARKS = /\p{M}/gu;
const MAX_SEARCH_WORDS = 8;

/** Lower case without accents, so that 'zoe' finds 'Zoë'. Also the key by which names sort. */
export function foldText(text: string): string {
  return text.normalize('NFKD').replace(COMBINING_MARKS, '').toLowerCase();
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
