import { expect, test } from 'vitest';
import { stepped } from './decimal-step.ts';

test.each([
  ['2.9', '0.1', 1, '3.0'],
  ['0.1', '0.1', -1, '0.0'],
  ['0', '0.1', -1, '0.0'],
  ['2.95', '0.1', 1, '3.05'],
  ['15', '1', 1, '16'],
] as const)('%s moved by %s (%i) is %s', (text, step, direction, next) => {
  expect(stepped(text, step, direction)).toBe(next);
});

test('what is no number stays as it was typed', () => {
  for (const text of ['', '1,5', '-1', 'abc', '1.']) expect(stepped(text, '0.1', 1)).toBeNull();
});
