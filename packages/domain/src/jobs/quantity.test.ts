import { expect, it } from 'vitest';
import { readQuantity } from './quantity.ts';

it.each([
  ['1', 1],
  [' 12 ', 12],
  ['1,000,000', 1_000_000],
])('%s is a quantity', (text, quantity) => expect(readQuantity(text)).toEqual({ quantity }));

it.each([
  ['', 'Quantity must be a whole number'],
  ['1.5', 'Quantity must be a whole number'],
  ['1e9', 'Quantity must be a whole number'],
  ['two', 'Quantity must be a whole number'],
  ['0', 'Quantity must be at least 1'],
  ['-2', 'Quantity must be at least 1'],
  ['1000001', 'Quantity must be at most 1,000,000'],
  ['9'.repeat(40), 'Quantity must be at most 1,000,000'],
])('%j is none', (text, error) => expect(readQuantity(text)).toEqual({ error }));
