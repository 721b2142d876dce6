import { expect, it } from 'vitest';
import { clampDate, formatPeriod, formatShortPeriod, getVisibleDates, getVisibleRange, stepDate } from './calendar-view.ts';

it.each([
  ['day', '2026-11-17', 1, '2026-11-17', '2026-11-17', 'Tue, Nov 17, 2026'],
  ['week', '2026-11-17', 7, '2026-11-16', '2026-11-22', 'Nov 16 – 22, 2026'],
  ['week', '2026-11-22', 7, '2026-11-16', '2026-11-22', 'Nov 16 – 22, 2026'],
  ['month', '2026-11-17', 42, '2026-10-26', '2026-12-06', 'November 2026'],
] as const)('the %s around %s has %d days from %s to %s, titled %s', (view, date, count, first, last, title) => {
  const days = getVisibleDates(view, date);
  expect([days.length, days[0], days.at(-1), formatPeriod(view, date)]).toEqual([count, first, last, title]);
});

it.each([
  ['day', '2026-12-31', 1, '2027-01-01'],
  ['week', '2026-11-17', -1, '2026-11-10'],
  ['month', '2026-01-31', 1, '2026-02-28'],
  ['month', '2026-03-31', -1, '2026-02-28'],
  ['month', '2026-12-05', 1, '2027-01-05'],
  ['day', '2000-02-01', -1, '2000-02-01'],
  ['month', '2099-11-30', 1, '2099-11-30'],
] as const)('in the %s view, stepping from %s by %d leads to %s', (view, date, steps, next) => {
  expect(stepDate(view, date, steps)).toBe(next);
});

it.each([
  ['2000-01-01', '2000-02-01'],
  ['2099-12-31', '2099-11-30'],
  ['2026-11-17', '2026-11-17'],
])('clamps %s to %s, so that no view extends past the bookable dates', (date, clamped) => {
  expect(clampDate(date)).toBe(clamped);
});

it('the week in which clocks go back is an hour longer', () => {
  const { from, to } = getVisibleRange(getVisibleDates('week', '2026-04-05'), 'Pacific/Auckland');
  expect([from, to]).toEqual(['2026-03-29T11:00:00.000Z', '2026-04-05T12:00:00.000Z']);
});

it.each([
  ['day', '2026-11-17', 'Tue, Nov 17'],
  ['week', '2026-11-17', 'Nov 16 – 22'],
  ['week', '2026-12-31', 'Dec 28 – Jan 3'],
  ['month', '2026-11-17', 'Nov 2026'],
] as const)('the short title of the %s around %s is %s', (view, date, title) => {
  expect(formatShortPeriod(view, date)).toBe(title);
});
