import { expect, test } from 'vitest';
import { normalizeDecimal, stepDecimal } from './decimal-string.ts';

test.each([
  ['1,200', '1200'],
  ['1,234,567', '1234567'],
  ['$45', '45'],
  ['$1,250.50', '1250.50'],
  ['1,250.50', '1250.50'],
  [' 1 250,50 € ', '1250.50'],
  ['1.250,50', '1250.50'],
  ["1'250.50", '1250.50'],
  ['NZD 95.50', '95.50'],
  ['NZ$95.50', '95.50'],
  ['95.50 AUD', '95.50'],
  ['45,50', '45.50'],
  ['0,125', '0.125'],
  ['1.200', '1.200'],
  ['12', '12'],
  ['.5', '0.5'],
  [',5', '0.5'],
  ['$.50', '0.50'],
  ['5.', '5'],
  ['45,', '45'],
  ['1,200.', '1200'],
  ['1 250 000', '1250000'],
  ['$ 5', '5'],
])('normalizes the number %s to %s', (typed, normalized) => {
  expect(normalizeDecimal(typed)).toBe(normalized);
});

test('returns text that is not a number unchanged', () => {
  for (const text of ['', '-1', '.5.', '1,23,4', '1,2.3,4', 'abc', '12abc', '1.2.3', '.', '..']) expect(normalizeDecimal(text)).toBe(text);
});

test('does not join two numbers into one', () => {
  for (const text of ['12 50', '1 2', '12  50', "6'2", '1 2500']) expect(normalizeDecimal(text)).toBe(text);
});

test.each([
  ['2.9', '0.1', 1, '3.0'],
  ['0.1', '0.1', -1, '0.0'],
  ['0', '0.1', -1, '0.0'],
  ['2.95', '0.1', 1, '3.05'],
  ['15', '1', 1, '16'],
] as const)('steps %s by %s in direction %i to %s', (text, step, direction, next) => {
  expect(stepDecimal(text, step, direction)).toBe(next);
});

test('returns null when stepping text that is not a number', () => {
  for (const text of ['', '1,5', '-1', 'abc', '1.']) expect(stepDecimal(text, '0.1', 1)).toBeNull();
});
