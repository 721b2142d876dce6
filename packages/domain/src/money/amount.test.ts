import { expect, it } from 'vitest';
import { isDecimalAmount, isStorableAmount, parseSearchedAmount } from './amount.ts';

it('accepts non-negative amounts with at most two decimals', () => {
  for (const text of ['0', '007', '1234.5', '1234.50', '99999999999']) expect([text, isDecimalAmount(text)]).toEqual([text, true]);
  for (const text of ['', '-1', '.5', '5.', '1.005', '1e3', '1,200', '٣', '1\n'])
    expect([text, isDecimalAmount(text)]).toEqual([text, false]);
});

it('can store ten digits before the decimal point, not counting leading zeros', () => {
  for (const text of ['0', '9999999999.99', '-9999999999.99', '000000000007']) expect([text, isStorableAmount(text)]).toEqual([text, true]);
  for (const text of ['10000000000', '-10000000000.00', '999999999999']) expect([text, isStorableAmount(text)]).toEqual([text, false]);
});

it('reads a search for an amount only if it has cents', () => {
  for (const [text, amount] of [
    ['100.00', '100.00'],
    ['-99.99', '-99.99'],
    [' $1,234.50 ', '1234.50'],
    ['9,999,999,999.99', '9999999999.99'],
  ] as const)
    expect(parseSearchedAmount(text)).toBe(amount);
  for (const text of ['', '100', '1,23.00', '10000000000.00', '1.005', '100.00 smith', 'J26.10'])
    expect([text, parseSearchedAmount(text)]).toEqual([text, null]);
});
