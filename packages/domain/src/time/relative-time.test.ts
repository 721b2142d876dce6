import { expect, test } from 'vitest';
import { relativeTime } from './relative-time.ts';

const NOW = '2026-03-31T12:00:00.000Z';

test.each([
  ['2026-03-31T11:59:00.001Z', 'less than a minute ago'],
  ['2026-03-31T11:59:00.000Z', '1 minute ago'],
  ['2026-03-31T11:54:30.000Z', '5 minutes ago'],
  ['2026-03-31T11:00:01.000Z', '59 minutes ago'],
  ['2026-03-31T11:00:00.000Z', '1 hour ago'],
  ['2026-03-30T12:00:01.000Z', '23 hours ago'],
  ['2026-03-30T12:00:00.000Z', '1 day ago'],
  ['2026-03-02T12:00:00.000Z', '29 days ago'],
  ['2026-03-01T12:00:00.000Z', '1 month ago'],
  ['2025-04-01T12:00:00.000Z', '12 months ago'],
  ['2025-03-31T12:00:00.000Z', '1 year ago'],
  ['2020-01-01T00:00:00.000Z', '6 years ago'],
])('shows %s as %s', (instant, words) => {
  expect(relativeTime(instant, NOW)).toBe(words);
});

test('never shows a future time when a clock runs ahead', () => {
  expect(relativeTime('2026-03-31T12:05:00.000Z', NOW)).toBe('less than a minute ago');
});
