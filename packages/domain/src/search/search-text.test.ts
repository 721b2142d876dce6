import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldText, searchText, searchWords, sortKey } from './search-text.ts';

const finds = (term: string, text: string) => searchWords(term).every((word) => text.includes(word));

describe('search text', () => {
  it('finds names regardless of letter case and accents', () => {
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

  it('separates its parts, so that a word never spans two of them', () => {
    expect(finds('anabruno', searchText(['Ana', 'Bruno']))).toBe(false);
  });

  it('ignores empty parts and empty searches', () => {
    expect(searchText([null, undefined, ''])).toBe('');
    expect(searchWords('  \t ')).toEqual([]);
  });

  it('folds letters that decomposition alone would not', () => {
    expect(foldText('ÅNGSTRÖM ﬁ')).toBe('angstrom fi');
  });

  it.each([
    ['Søren Ærø', 'soren aero'],
    ['Strauß GROẞ', 'strauss gross'],
    ['Đorđe Łukasz Œuvre', 'dorde lukasz oeuvre'],
    ['Guðrún Þórsdóttir', 'gudrun thorsdottir'],
    ['Işıl ĞÜL İnci', 'isil gul inci'],
    ['Ħamrun Ŧ Əliyev Ɓature Ɗan Ƙano', 'hamrun t eliyev bature dan kano'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευσ'],
  ])('folds %s to what people type for it', (name, folded) => {
    expect(foldText(name)).toBe(folded);
    expect(finds(folded, searchText([name]))).toBe(true);
  });

  it('treats any kind of apostrophe, and none, as the same', () => {
    const typed = [
      "O'Sullivan",
      'O’Sullivan',
      'O‘Sullivan',
      'OʼSullivan',
      'OʻSullivan',
      'O`Sullivan',
      'O´Sullivan',
      'O＇Sullivan',
      'OSullivan',
    ];
    for (const name of typed) {
      for (const term of typed) expect([term, name, finds(term, searchText([name]))]).toEqual([term, name, true]);
    }
    expect(searchWords(`' ’ ana`)).toEqual(['ana']);
  });

  it('treats dashes of any kind as the same, and quotation marks too', () => {
    for (const dash of ['-', '‐', '‑', '‒', '–', '—', '―', '−', '－', '﹣']) expect(foldText(`Smith${dash}Jones`)).toBe('smith-jones');
    for (const quoted of ['"Bob"', '“Bob”', '„Bob‟', '″Bob″', '＂Bob＂']) expect(foldText(quoted)).toBe('"bob"');
  });
});

/** Every character except the tens of thousands of ideographs, and random text with those that fold. */
const characters = Array.from({ length: 0x20000 }, (_, code) => code)
  .filter((code) => code < 0x3400 || (code > 0x9fff && code < 0xd800) || (code > 0xdfff && code < 0x11000) || code >= 0x1d000)
  .map((code) => String.fromCodePoint(code));
const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...Array.from('Σςσ′″\'’´ßẞæØİıﷺ한́ "-—\nA')) }));

describe('folded text', () => {
  it('does not change when folded again', () => {
    expect(characters.filter((character) => foldText(foldText(character)) !== foldText(character))).toEqual([]);
    fc.assert(fc.property(anyText, (text) => foldText(foldText(text)) === foldText(text)));
  });

  it('is at most 18 times as long as the input', () => {
    expect(characters.filter((character) => foldText(character).length > 18 * character.length)).toEqual([]);
    fc.assert(fc.property(anyText, (text) => foldText(text).length <= 18 * text.length));
  });

  it('is found by the start and the end of the input', () => {
    fc.assert(
      fc.property(anyText, anyText, (start, end) => {
        expect(foldText(`${start} ${end}`)).toBe(`${foldText(start)} ${foldText(end)}`);
      }),
    );
  });
});

describe('the sort key of a name', () => {
  it.each([
    ['Hangul', '한'],
    ['a ligature of 18 letters', 'ﷺ'],
    ['emoji', '🧰'],
    ['letters without accents', 'x'],
  ])('has at most 100 characters, even for %s', (_, character) => {
    const key = sortKey(character.repeat(200));
    expect(Array.from(key)).toHaveLength(100);
    expect(foldText(character.repeat(200)).startsWith(key)).toBe(true);
  });

  it('is the whole folded name for nearly everyone', () => {
    expect(sortKey('Zoë O’Sullivan-Møller')).toBe('zoe osullivan-moller');
  });
});
