import { expect, it } from 'vitest';
import { formatBooking } from './booking-format.ts';

const AUCKLAND = 'Pacific/Auckland';
/** 9:00 AM on Tuesday, November 17, 2026 in Auckland. */
const START = '2026-11-16T20:00:00.000Z';

it.each([
  ['2026-11-17', 'Today', 'Today, Nov 17, 2026'],
  ['2026-11-16', 'Tomorrow', 'Tomorrow, Nov 17, 2026'],
  ['2026-11-18', 'Yesterday', 'Yesterday, Nov 17, 2026'],
  ['2026-11-10', 'Tue, Nov 17', 'Tue, Nov 17, 2026'],
])('formats the booking day, relative to %s, as %s', (today, day, fullDay) => {
  expect(formatBooking(START, '3.00', today, AUCKLAND)).toEqual({ day, time: '9:00 AM – 12:00 PM', date: 'Nov 17, 2026', fullDay });
});

it('includes the end date if it is another day, and omits the end if there is no duration', () => {
  expect(formatBooking(START, '48', '2026-11-17', AUCKLAND).time).toBe('9:00 AM – Nov 19, 9:00 AM');
  expect(formatBooking(START, null, '2026-11-17', AUCKLAND).time).toBe('9:00 AM');
});

it('calculates the end from elapsed hours across a clock change', () => {
  // Auckland's clocks go forward from 2:00 AM to 3:00 AM on September 27, 2026.
  expect(formatBooking('2026-09-26T13:00:00.000Z', '2', '2026-09-27', AUCKLAND).time).toBe('1:00 AM – 4:00 AM');
});

it('names every weekday', () => {
  const days = Array.from({ length: 7 }, (_, day) => formatBooking(`2026-11-${15 + day}T00:00:00Z`, null, '2026-01-01', 'UTC').day);
  expect(days).toEqual(['Sun, Nov 15', 'Mon, Nov 16', 'Tue, Nov 17', 'Wed, Nov 18', 'Thu, Nov 19', 'Fri, Nov 20', 'Sat, Nov 21']);
});
