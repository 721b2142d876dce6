import { expect, test } from 'vitest';
import { readDecimal, stepped } from './decimal-text.ts';

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
])('%s is read as %s', (typed, number) => {
  expect(readDecimal(typed)).toBe(number);
});

test('what is no number stays as it was typed', () => {
  for (const text of ['', '-1', '.5.', '1,23,4', '1,2.3,4', 'abc', '12abc', '1.2.3', '.', '..']) expect(readDecimal(text)).toBe(text);
});

test('two numbers are not taken for one', () => {
  for (const text of ['12 50', '1 2', '12  50', "6'2", '1 2500']) expect(readDecimal(text)).toBe(text);
});

test.each([
  ['2.9', '0.1', 1, '3.0'],
  ['0.1', '0.1', -1, '0.0'],
  ['0', '0.1', -1, '0.0'],
  ['2.95', '0.1', 1, '3.05'],
  ['15', '1', 1, '16'],
] as const)('%s moved by %s (%i) is %s', (text, step, direction, next) => {
  expect(stepped(text, step, direction)).toBe(next);
});

test('what is no number cannot be stepped', () => {
  for (const text of ['', '1,5', '-1', 'abc', '1.']) expect(stepped(text, '0.1', 1)).toBeNull();
});
