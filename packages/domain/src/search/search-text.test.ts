import { describe, expect, it } from 'vitest';
import { foldText, searchText, searchWords } from './search-text.ts';

const finds = (term: string, text: string) => searchWords(term).every((word) => text.includes(word));

describe('search text', () => {
  it('finds names whatever their case and accents', () => {
    const text = searchText(['Zoë Müller', 'zoe@example.com']);
    expect(finds('ZOE muller', text)).toBe(true);
    expect(finds('zoë', text)).toBe(true);
    expect(finds('zoe miller', text)).toBe(false);
  });

  it('finds a phone number with and without its spaces', () => {
    const text = searchText(['Ana'], ['+64 (21) 555-123', null]);
    expect(finds('+6421555', text)).toBe(true);
    expect(finds('555-123', text)).toBe(true);
  });

  it('keeps parts apart, so a word never spans two of them', () => {
    expect(finds('anabruno', searchText(['Ana', 'Bruno']))).toBe(false);
  });

  it('ignores empty parts and empty searches', () => {
    expect(searchText([null, undefined, ''])).toBe('');
    expect(searchWords('  \t ')).toEqual([]);
  });

  it('folds letters a decomposition alone would leave', () => {
    expect(foldText('ÅNGSTRÖM ﬁ')).toBe('angstrom fi');
  });
});
