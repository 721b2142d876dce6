import { expect, it } from 'vitest';
import { bookingText } from './booking-text.ts';

const AUCKLAND = 'Pacific/Auckland';
/** 9:00 AM of Tuesday, November 17, 2026 in Auckland. */
const START = '2026-11-16T20:00:00.000Z';

it.each([
  ['2026-11-17', 'Today', 'Today, Nov 17, 2026'],
  ['2026-11-16', 'Tomorrow', 'Tomorrow, Nov 17, 2026'],
  ['2026-11-18', 'Yesterday', 'Yesterday, Nov 17, 2026'],
  ['2026-11-10', 'Tue, Nov 17', 'Tue, Nov 17, 2026'],
])('seen on %s it is %s', (today, day, fullDay) => {
  expect(bookingText(START, '3.00', today, AUCKLAND)).toEqual({ day, time: '9:00 AM – 12:00 PM', date: 'Nov 17, 2026', fullDay });
});

it('an end on another day has its date, and without a duration there is none', () => {
  expect(bookingText(START, '48', '2026-11-17', AUCKLAND).time).toBe('9:00 AM – Nov 19, 9:00 AM');
  expect(bookingText(START, null, '2026-11-17', AUCKLAND).time).toBe('9:00 AM');
});

it('counts real hours when clocks change meanwhile', () => {
  // At 2:00 AM of September 27, 2026 the clocks of Auckland go forward to 3:00 AM.
  expect(bookingText('2026-09-26T13:00:00.000Z', '2', '2026-09-27', AUCKLAND).time).toBe('1:00 AM – 4:00 AM');
});
