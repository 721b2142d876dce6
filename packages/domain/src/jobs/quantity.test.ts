import { expect, it } from 'vitest';
import { hasValidQuantityDecimals, parseQuantity, parseWholeQuantity } from './quantity.ts';

it.each([
  ['1', 1],
  [' 12 ', 12],
  ['1000000', 1_000_000],
])('accepts %s as a quantity', (text, quantity) => {
  expect(parseQuantity(text)).toEqual({ quantity });
  expect(parseWholeQuantity(text)).toEqual({ quantity });
});

it.each([
  ['2.5', 2.5],
  ['1.125', 1.125],
])('accepts %s as a quantity, but not as a whole quantity', (text, quantity) => {
  expect(parseQuantity(text)).toEqual({ quantity });
  expect(parseWholeQuantity(text)).toEqual({ error: 'Quantity must be a whole number' });
});

const NOT_A_QUANTITY = 'Quantity must be a number with up to 3 decimal places';

it.each([
  ['', NOT_A_QUANTITY],
  ['1.0005', NOT_A_QUANTITY],
  ['1e9', NOT_A_QUANTITY],
  ['1,5', NOT_A_QUANTITY],
  ['12 50', NOT_A_QUANTITY],
  ['two', NOT_A_QUANTITY],
  ['0', 'Quantity must be at least 1'],
  ['0.5', 'Quantity must be at least 1'],
  ['-2', 'Quantity must be at least 1'],
  ['1000001', 'Quantity must be at most 1,000,000'],
  ['9'.repeat(40), 'Quantity must be at most 1,000,000'],
])('rejects the quantity %j', (text, error) => expect(parseQuantity(text)).toEqual({ error }));

it.each([
  [1, true],
  [2.675, true],
  [999_999.999, true],
  [1.0005, false],
])('the quantity %s has at most 3 decimals: %s', (quantity, expected) => expect(hasValidQuantityDecimals(quantity)).toBe(expected));
