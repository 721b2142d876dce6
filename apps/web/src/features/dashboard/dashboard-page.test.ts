import { expect, test } from 'vitest';
import { formatToday } from './dashboard-page.tsx';

test('the day is written out', () => {
  expect(formatToday(new Date(2026, 10, 15, 9))).toBe('Sunday, November 15');
});
