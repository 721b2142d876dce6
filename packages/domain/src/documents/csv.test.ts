import { describe, expect, it } from 'vitest';
import { csvText } from './csv.ts';

const fieldOf = (text: string) => csvText([[text]]).slice(1, -2);

describe('a CSV file', () => {
  it('starts with the mark for Excel and ends every line with CRLF', () => {
    expect(
      csvText([
        ['Name', 'Hours'],
        ['Tāne', '7.5'],
      ]),
    ).toBe('\uFEFF"Name","Hours"\r\n"Tāne","7.5"\r\n');
  });

  it.each([
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['', '""'],
  ])('quotes %j', (text, field) => {
    expect(fieldOf(text)).toBe(field);
  });

  it.each(['-2', '-115.00', '115.00'])('leaves the number %s a number', (number) => {
    expect(fieldOf(number)).toBe(`"${number}"`);
  });

  it.each(['=1+1', '+64 21', '-2+3', '-2\n', '-A1', '@sum(A1)', '\t=1', '\r=1', '\u200B=1', '\uFEFF\u2060@a', '\u200E-2'])(
    'makes %j text instead of a formula',
    (text) => {
      expect(fieldOf(text)).toBe(`"'${text}"`);
    },
  );
});
