import { expect, test } from 'vitest';
import { formatDate, formatDateTime, formatDay } from './format-date.ts';

const morning = '2025-01-05T09:05:00.000Z';

test('a moment is written in the three ways of the spec', () => {
  expect(formatDay(morning, 'UTC')).toBe('Jan 5');
  expect(formatDate(morning, 'UTC')).toBe('Jan 5, 2025');
  expect(formatDateTime(morning, 'UTC')).toBe('Jan 5, 2025 9:05 AM');
});

test('midnight and noon are twelve, and the zone decides the day', () => {
  expect(formatDateTime('2025-01-05T00:00:00.000Z', 'UTC')).toBe('Jan 5, 2025 12:00 AM');
  expect(formatDateTime('2025-01-05T12:00:00.000Z', 'UTC')).toBe('Jan 5, 2025 12:00 PM');
  expect(formatDateTime('2025-01-05T12:00:00.000Z', 'Pacific/Auckland')).toBe('Jan 6, 2025 1:00 AM');
});
