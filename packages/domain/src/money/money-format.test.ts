import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CURRENCIES } from './currency.ts';
import { roundMoney } from './money.ts';
import { formatHourlyRate, formatMoney, parseMoney } from './money-format.ts';

describe('money formatting', () => {
  it('formats an hourly rate in the company’s currency', () => {
    expect(formatHourlyRate('45', 'NZD')).toBe('$45.00/hr');
    expect(formatHourlyRate('1250.5', 'GBP')).toBe('£1,250.50/hr');
  });

  it.each([
    ['5', 'USD', '$5.00'],
    ['1234.5', null, '$1,234.50'],
    ['1234.5', 'EUR', '€1,234.50'],
    ['999.995', 'GBP', '£1,000.00'],
    ['1234567890123.45', 'NZD', '$1,234,567,890,123.45'],
    ['-1234.50', 'AUD', '-$1,234.50'],
    ['-0.001', 'USD', '$0.00'],
    ['0', undefined, '$0.00'],
  ])('formats %s %s as %s', (amount, currency, text) => {
    expect(formatMoney(amount, currency)).toBe(text);
  });

  it.each([
    ['1234.5', '1234.50'],
    [' $1,234.50 ', '1234.50'],
    ['$ 7', '7.00'],
    ['.5', '0.50'],
    ['5.', '5.00'],
    ['-5', '-5.00'],
    ['−$5.25', '-5.25'],
    ['-0', '0.00'],
    ['007', '7.00'],
    ['9,999,999,999.99', '9999999999.99'],
    ['000000000007', '7.00'],
  ])('parses %j as %s', (text, amount) => {
    expect(parseMoney(text, 'USD')).toBe(amount);
  });

  it.each([
    '',
    ' ',
    '$',
    '.',
    '-',
    '-.',
    'abc',
    '12,50',
    '1,23,456',
    '1.234,50',
    '1.005',
    '1e3',
    '€5',
    '--5',
    '5-',
    '1 000',
    '10000000000',
    '-10000000000',
    '999999999999',
    'NaN',
    '٣',
    '5\n6',
  ])('rejects %j instead of guessing', (text) => {
    expect(parseMoney(text, 'USD')).toBeNull();
  });

  it('parses back every amount it formats, in every currency', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 12n) + 1n, max: 10n ** 12n - 1n }), fc.constantFrom(...CURRENCIES, null), (cents, currency) => {
        const size = String(cents < 0n ? -cents : cents).padStart(3, '0');
        const amount = `${cents < 0n ? '-' : ''}${size.slice(0, -2)}.${size.slice(-2)}`;
        expect(parseMoney(formatMoney(amount, currency), currency)).toBe(amount);
      }),
    );
  });

  it('returns money or null for any text and never throws', () => {
    const anything = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom('0', '5', '9', ',', '.', '-', '−', '$', '€', ' ', '\n', '\0') }),
    );
    fc.assert(
      fc.property(anything, (text) => {
        const amount = parseMoney(text, 'USD');
        expect(amount === null || roundMoney(amount) === amount).toBe(true);
      }),
    );
  });
});
