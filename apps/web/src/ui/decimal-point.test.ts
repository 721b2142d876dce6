import { expect, test } from 'vitest';
import { withDecimalPoint } from './decimal-point.ts';

test('a comma typed for the decimal point becomes one', () => {
  expect(withDecimalPoint('45,50')).toBe('45.50');
  expect(withDecimalPoint('45,')).toBe('45.');
});

test('commas between thousands are not guessed at', () => {
  for (const text of ['1,234.50', '1.234,50', '1,234,567', '12', '']) expect(withDecimalPoint(text)).toBe(text);
});
