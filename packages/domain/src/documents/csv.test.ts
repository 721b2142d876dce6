import { describe, expect, it } from 'vitest';
import { buildCsv } from './csv.ts';

const buildField = (text: string) => buildCsv([[text]]).slice(1, -2);

describe('CSV file', () => {
  it('starts with a byte order mark for Excel and ends every line with CRLF', () => {
    expect(
      buildCsv([
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
  ])('quotes the field %j', (text, field) => {
    expect(buildField(text)).toBe(field);
  });

  it.each(['-2', '-115.00', '115.00'])('does not escape the number %s', (number) => {
    expect(buildField(number)).toBe(`"${number}"`);
  });

  it.each(['=1+1', '+64 21', '-2+3', '-2\n', '-A1', '@sum(A1)', '\t=1', '\r=1', '\u200B=1', '\uFEFF\u2060@a', '\u200E-2'])(
    'escapes %j, which a spreadsheet would run as a formula',
    (text) => {
      expect(buildField(text)).toBe(`"'${text}"`);
    },
  );
});
