import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildSearchText, buildSortKey, normalizeForSearch, parseSearchWords } from './search-text.ts';

const isMatch = (term: string, text: string) => parseSearchWords(term).every((word) => text.includes(word));

describe('search text', () => {
  it('matches names regardless of letter case and accents', () => {
    const text = buildSearchText(['Zoë Müller', 'zoe@example.com']);
    expect(isMatch('ZOE muller', text)).toBe(true);
    expect(isMatch('zoë', text)).toBe(true);
    expect(isMatch('zoe miller', text)).toBe(false);
  });

  it('matches a phone number with or without spaces', () => {
    const text = buildSearchText(['Ana'], ['+64 (21) 555-123', null]);
    expect(isMatch('+6421555', text)).toBe(true);
    expect(isMatch('555-123', text)).toBe(true);
  });

  it('separates its parts, so that a word never matches across two parts', () => {
    expect(isMatch('anabruno', buildSearchText(['Ana', 'Bruno']))).toBe(false);
  });

  it('ignores empty parts and empty searches', () => {
    expect(buildSearchText([null, undefined, ''])).toBe('');
    expect(parseSearchWords('  \t ')).toEqual([]);
    expect(parseSearchWords('a b c d e f g h i')).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
  });

  it.each([
    ['#J26110063', ['j26110063']],
    ['Smith, Anna', ['smith', 'anna']],
    ['leak,repair;(urgent)', ['leak', 'repair', 'urgent']],
    ['"kitchen tap".', ['kitchen', 'tap']],
    ['-1,204.50 +64', ['-1,204.50', '+64']],
    ['3/4" a/c # ...', ['3/4', 'a/c', '#', '...']],
  ])('is searched for the words of %s without the punctuation around them', (term, words) => {
    expect(parseSearchWords(term)).toEqual(words);
  });

  it('keeps its later parts if an earlier one expands to a very long text', () => {
    const text = buildSearchText(['\ufdfa'.repeat(10_000), 'J26110063']);
    expect([text.length < 21_000, isMatch('J26110063', text)]).toEqual([true, true]);
  });

  it('normalizes ligatures and precomposed letters', () => {
    expect(normalizeForSearch('ÅNGSTRÖM ﬁ')).toBe('angstrom fi');
  });

  it.each([
    ['Søren Ærø', 'soren aero'],
    ['ƀɓ ƈ đðɖɗ əɛ ƒ ɠ ħ ıɨ ȷ ĸƙ łƚ ŋɲ øɔ ƥ ŧƭ ʉ ʋ ƴ ƶ', 'bb c dddd ee f g h ii j kk ll nn oo p tt u v y z'],
    ['Œuvre Þór Σοφός', 'oeuvre thor σοφοσ'],
    ['Strauß GROẞ', 'strauss gross'],
    ['Đorđe Łukasz Œuvre', 'dorde lukasz oeuvre'],
    ['Guðrún Þórsdóttir', 'gudrun thorsdottir'],
    ['Işıl ĞÜL İnci', 'isil gul inci'],
    ['Ħamrun Ŧ Əliyev Ɓature Ɗan Ƙano', 'hamrun t eliyev bature dan kano'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευσ'],
  ])('normalizes %s to %s, as people would type it', (name, folded) => {
    expect(normalizeForSearch(name)).toBe(folded);
    expect(isMatch(folded, buildSearchText([name]))).toBe(true);
  });

  it('matches names with every kind of apostrophe, or without one', () => {
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
      for (const term of typed) expect([term, name, isMatch(term, buildSearchText([name]))]).toEqual([term, name, true]);
    }
    expect(parseSearchWords(`' ’ ana`)).toEqual(['ana']);
  });

  it('treats all dashes as equal, and all quotation marks as equal', () => {
    for (const dash of ['-', '‐', '‑', '‒', '–', '—', '―', '−', '－', '﹣'])
      expect(normalizeForSearch(`Smith${dash}Jones`)).toBe('smith-jones');
    for (const quoted of ['"Bob"', '“Bob”', '„Bob‟', '″Bob″', '＂Bob＂']) expect(normalizeForSearch(quoted)).toBe('"bob"');
  });
});

/** Every character below U+20000, except the tens of thousands of ideographs. */
const characters = Array.from({ length: 0x20000 }, (_, code) => code)
  .filter((code) => code < 0x3400 || (code > 0x9fff && code < 0xd800) || (code > 0xdfff && code < 0x11000) || code >= 0x1d000)
  .map((code) => String.fromCodePoint(code));
const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...Array.from('Σςσ′″\'’´ßẞæØİıﷺ한́ "-—\nA')) }));

describe('normalized text', () => {
  it('does not change when normalized again', () => {
    expect(characters.filter((character) => normalizeForSearch(normalizeForSearch(character)) !== normalizeForSearch(character))).toEqual(
      [],
    );
    fc.assert(fc.property(anyText, (text) => normalizeForSearch(normalizeForSearch(text)) === normalizeForSearch(text)));
  });

  it('is at most 18 times as long as the input', () => {
    expect(characters.filter((character) => normalizeForSearch(character).length > 18 * character.length)).toEqual([]);
    fc.assert(fc.property(anyText, (text) => normalizeForSearch(text).length <= 18 * text.length));
  });

  it('does not depend on whether words are normalized together or separately', () => {
    fc.assert(
      fc.property(anyText, anyText, (start, end) => {
        expect(normalizeForSearch(`${start} ${end}`)).toBe(`${normalizeForSearch(start)} ${normalizeForSearch(end)}`);
      }),
    );
  });
});

describe('sort key', () => {
  it.each([
    ['Hangul', '한'],
    ['a ligature of 18 letters', 'ﷺ'],
    ['emoji', '🧰'],
    ['letters without accents', 'x'],
  ])('has at most 100 characters, even for %s', (_, character) => {
    const key = buildSortKey(character.repeat(200));
    expect(Array.from(key)).toHaveLength(100);
    expect(normalizeForSearch(character.repeat(200)).startsWith(key)).toBe(true);
  });

  it('is the whole normalized name unless the name is very long', () => {
    expect(buildSortKey('Zoë O’Sullivan-Møller')).toBe('zoe osullivan-moller');
  });
});
