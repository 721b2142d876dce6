import { expect, test } from 'vitest';
import { formatToday } from './dashboard-page.tsx';

test('formats the date with weekday and month names in the given time zone', () => {
  expect(formatToday('2026-11-15T11:30:00.000Z', 'Pacific/Auckland')).toBe('Monday, November 16');
  expect(formatToday('2026-11-15T11:30:00.000Z', 'America/Los_Angeles')).toBe('Sunday, November 15');
});
