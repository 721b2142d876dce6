import { describe, expect, it } from 'vitest';
import { formatDate, formatDateTime, formatDay } from './date-format.ts';

describe('date formats', () => {
  it('shows a morning in January', () => {
    const instant = '2025-01-05T09:05:59.999Z';
    expect(formatDay(instant, 'UTC')).toBe('Jan 5');
    expect(formatDate(instant, 'UTC')).toBe('Jan 5, 2025');
    expect(formatDateTime(instant, 'UTC')).toBe('Jan 5, 2025 9:05 AM');
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
