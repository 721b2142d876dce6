import { expect, it } from 'vitest';
import { isDecimalAmount, isStorableAmount } from './amount.ts';

it('accepts non-negative amounts with at most two decimals', () => {
  for (const text of ['0', '007', '1234.5', '1234.50', '99999999999']) expect([text, isDecimalAmount(text)]).toEqual([text, true]);
  for (const text of ['', '-1', '.5', '5.', '1.005', '1e3', '1,200', '٣', '1\n'])
    expect([text, isDecimalAmount(text)]).toEqual([text, false]);
});

it('can store ten digits before the decimal point, not counting leading zeros', () => {
  for (const text of ['0', '9999999999.99', '-9999999999.99', '000000000007']) expect([text, isStorableAmount(text)]).toEqual([text, true]);
  for (const text of ['10000000000', '-10000000000.00', '999999999999']) expect([text, isStorableAmount(text)]).toEqual([text, false]);
});
