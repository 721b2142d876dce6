import { expect, it } from 'vitest';
import { CALENDAR_PERIODS, getCalendarPeriodRange } from './calendar-period.ts';

it.each([
  ['this-month', '2026-11-16', '2026-11-01', '2026-11-30'],
  ['this-month', '2028-02-29', '2028-02-01', '2028-02-29'],
  ['last-month', '2026-01-31', '2025-12-01', '2025-12-31'],
  ['last-month', '2026-03-31', '2026-02-01', '2026-02-28'],
  ['this-quarter', '2026-11-16', '2026-10-01', '2026-12-31'],
  ['this-quarter', '2026-03-31', '2026-01-01', '2026-03-31'],
  ['last-quarter', '2026-11-16', '2026-07-01', '2026-09-30'],
  ['last-quarter', '2026-01-01', '2025-10-01', '2025-12-31'],
  ['last-year', '2026-01-01', '2025-01-01', '2025-12-31'],
  ['this-year', '2026-01-01', '2026-01-01', '2026-12-31'],
] as const)('the period %s on %s runs from %s to %s', (period, today, from, to) => {
  expect(getCalendarPeriodRange(period, today)).toEqual({ from, to });
});

it('no two periods have the same range on any day of a year', () => {
  for (let day = Date.UTC(2026, 0, 1); day < Date.UTC(2027, 0, 1); day += 86_400_000) {
    const today = new Date(day).toISOString().slice(0, 10);
    const ranges = CALENDAR_PERIODS.map((period) => JSON.stringify(getCalendarPeriodRange(period, today)));
    expect(new Set(ranges).size).toBe(CALENDAR_PERIODS.length);
  }
});
