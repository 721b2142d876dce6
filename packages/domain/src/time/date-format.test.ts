import { describe, expect, it, test } from 'vitest';
import { formatCivilDate, formatDate, formatDateTime, formatDay, formatTime, relativeTime } from './date-format.ts';

describe('date formats', () => {
  it('shows a day without a time as it is, in every zone', () => {
    expect(formatCivilDate('2025-01-05')).toBe('Jan 5, 2025');
    expect(formatCivilDate('2024-02-29')).toBe('Feb 29, 2024');
    for (const text of ['', '2025-1-5', '2025-01-05T00:00:00Z']) expect(() => formatCivilDate(text)).toThrow(RangeError);
  });

  it('shows a morning in January', () => {
    const instant = '2025-01-05T09:05:59.999Z';
    expect(formatDay(instant, 'UTC')).toBe('Jan 5');
    expect(formatDate(instant, 'UTC')).toBe('Jan 5, 2025');
    expect(formatDateTime(instant, 'UTC')).toBe('Jan 5, 2025 9:05 AM');
    expect(formatTime(instant, 'UTC')).toBe('9:05 AM');
  });

  it.each([
    ['2025-01-05T00:00:00Z', 'Jan 5, 2025 12:00 AM'],
    ['2025-01-05T12:00:00Z', 'Jan 5, 2025 12:00 PM'],
    ['2025-09-30T13:30:00Z', 'Sep 30, 2025 1:30 PM'],
    ['2024-02-29T23:59:00Z', 'Feb 29, 2024 11:59 PM'],
  ])('shows %s as %s', (instant, text) => {
    expect(formatDateTime(instant, 'UTC')).toBe(text);
  });

  it('shows the day in the zone, not on the machine', () => {
    const newYear = '2024-12-31T11:30:00Z';
    expect(formatDateTime(newYear, 'Pacific/Auckland')).toBe('Jan 1, 2025 12:30 AM');
    expect(formatDateTime(newYear, 'America/Los_Angeles')).toBe('Dec 31, 2024 3:30 AM');
  });

  it('shows the repeated hour in autumn with the same clock time twice', () => {
    expect(formatDateTime('2025-11-02T05:30:00Z', 'America/New_York')).toBe('Nov 2, 2025 1:30 AM');
    expect(formatDateTime('2025-11-02T06:30:00Z', 'America/New_York')).toBe('Nov 2, 2025 1:30 AM');
  });
});

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
])('what happened at %s is %s', (instant, words) => {
  expect(relativeTime(instant, NOW)).toBe(words);
});

test('a clock that runs ahead makes nothing happen in the future', () => {
  expect(relativeTime('2026-03-31T12:05:00.000Z', NOW)).toBe('less than a minute ago');
});
