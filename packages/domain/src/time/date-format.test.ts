import { describe, expect, it, test } from 'vitest';
import {
  formatCivilDate,
  formatDate,
  formatDateTime,
  formatDay,
  formatRelativeTime,
  formatSpreadsheetTime,
  formatTime,
} from './date-format.ts';

describe('date formatting', () => {
  it('formats a date without a time, regardless of the zone', () => {
    expect(formatCivilDate('2025-01-05')).toBe('Jan 5, 2025');
    expect(formatCivilDate('2024-02-29')).toBe('Feb 29, 2024');
    for (const text of ['', '2025-1-5', '2025-01-05T00:00:00Z']) expect(() => formatCivilDate(text)).toThrow(RangeError);
  });

  it('formats an instant on a January morning', () => {
    const instant = '2025-01-05T09:05:59.999Z';
    expect(formatDay(instant, 'UTC')).toBe('Jan 5');
    expect(formatDate(instant, 'UTC')).toBe('Jan 5, 2025');
    expect(formatDateTime(instant, 'UTC')).toBe('Jan 5, 2025 9:05 AM');
    expect(formatTime(instant, 'UTC')).toBe('9:05 AM');
    expect(formatSpreadsheetTime(instant, 'UTC')).toBe('2025-01-05 09:05');
  });

  it.each([
    ['2025-01-05T00:00:00Z', 'Jan 5, 2025 12:00 AM'],
    ['2025-01-05T12:00:00Z', 'Jan 5, 2025 12:00 PM'],
    ['2025-09-30T13:30:00Z', 'Sep 30, 2025 1:30 PM'],
    ['2024-02-29T23:59:00Z', 'Feb 29, 2024 11:59 PM'],
  ])('formats %s as %s', (instant, text) => {
    expect(formatDateTime(instant, 'UTC')).toBe(text);
  });

  it("uses the given zone, not the machine's", () => {
    const newYear = '2024-12-31T11:30:00Z';
    expect(formatDateTime(newYear, 'Pacific/Auckland')).toBe('Jan 1, 2025 12:30 AM');
    expect(formatDateTime(newYear, 'America/Los_Angeles')).toBe('Dec 31, 2024 3:30 AM');
  });

  it('formats both instants of a repeated hour with the same clock time', () => {
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
])('formats the relative time of %s as %s', (instant, text) => {
  expect(formatRelativeTime(instant, NOW)).toBe(text);
});

test('treats a future instant as now', () => {
  expect(formatRelativeTime('2026-03-31T12:05:00.000Z', NOW)).toBe('less than a minute ago');
});

it.each(
  ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'].map((month, index) => [index, month] as const),
)('names month %i %s', (index, month) => {
  expect(formatCivilDate(`2026-${String(index + 1).padStart(2, '0')}-01`)).toContain(month);
});
