import { expect, it } from 'vitest';
import { hasQuantityDecimals, readQuantity, readWholeQuantity } from './quantity.ts';

it.each([
  ['1', 1],
  [' 12 ', 12],
  ['1000000', 1_000_000],
])('%s is a quantity', (text, quantity) => {
  expect(readQuantity(text)).toEqual({ quantity });
  expect(readWholeQuantity(text)).toEqual({ quantity });
});

it.each([
  ['2.5', 2.5],
  ['1.125', 1.125],
])('%s is a quantity of a line, but no whole one', (text, quantity) => {
  expect(readQuantity(text)).toEqual({ quantity });
  expect(readWholeQuantity(text)).toEqual({ error: 'Quantity must be a whole number' });
});

const NO_NUMBER = 'Quantity must be a number with up to 3 decimal places';

it.each([
  ['', NO_NUMBER],
  ['1.0005', NO_NUMBER],
  ['1e9', NO_NUMBER],
  ['1,5', NO_NUMBER],
  ['12 50', NO_NUMBER],
  ['two', NO_NUMBER],
  ['0', 'Quantity must be at least 1'],
  ['0.5', 'Quantity must be at least 1'],
  ['-2', 'Quantity must be at least 1'],
  ['1000001', 'Quantity must be at most 1,000,000'],
  ['9'.repeat(40), 'Quantity must be at most 1,000,000'],
])('%j is none', (text, error) => expect(readQuantity(text)).toEqual({ error }));

it.each([
  [1, true],
  [2.675, true],
  [999_999.999, true],
  [1.0005, false],
])('%s has at most 3 decimals: %s', (quantity, expected) => expect(hasQuantityDecimals(quantity)).toBe(expected));
