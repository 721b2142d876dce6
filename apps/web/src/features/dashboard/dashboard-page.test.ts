import { expect, test } from 'vitest';
import { formatToday } from './dashboard-page.tsx';

test('formats the date with weekday and month names', () => {
  expect(formatToday(new Date(2026, 10, 15, 9))).toBe('Sunday, November 15');
});
