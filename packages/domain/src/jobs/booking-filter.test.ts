import { expect, it } from 'vitest';
import { toLocalDate } from '../time/zoned-time.ts';
import { type BookingFilter, getBookingCriteria } from './booking-filter.ts';

const ZONE = 'Pacific/Auckland';
/** A Wednesday. Auckland is 13 hours ahead of UTC. */
const TODAY = '2026-11-18';

it.each<[BookingFilter, object]>([
  ['today', { booked_from: '2026-11-17T11:00:00.000Z', booked_to: '2026-11-18T10:59:59.999Z' }],
  ['tomorrow', { booked_from: '2026-11-18T11:00:00.000Z', booked_to: '2026-11-19T10:59:59.999Z' }],
  ['this-week', { booked_from: '2026-11-15T11:00:00.000Z', booked_to: '2026-11-22T10:59:59.999Z' }],
  ['next-7-days', { booked_from: '2026-11-17T11:00:00.000Z', booked_to: '2026-11-24T10:59:59.999Z' }],
  ['overdue', { booked_to: '2026-11-17T10:59:59.999Z', booking: 'unfinished' }],
  ['none', { booking: 'none' }],
  ['custom', {}],
])('%s covers whole days of the zone', (filter, criteria) => {
  expect(getBookingCriteria(filter, {}, TODAY, ZONE)).toEqual(criteria);
});

it('includes both custom dates and leaves a side without a date open', () => {
  const from = '2026-11-01';
  const to = '2026-11-30';
  const [booked_from, booked_to] = ['2026-10-31T11:00:00.000Z', '2026-11-30T10:59:59.999Z'];
  expect(getBookingCriteria('custom', { from, to }, TODAY, ZONE)).toEqual({ booked_from, booked_to });
  expect(getBookingCriteria('custom', { from }, TODAY, ZONE)).toEqual({ booked_from });
  expect(getBookingCriteria('custom', { to }, TODAY, ZONE)).toEqual({ booked_to });
});

it('moves today to the next day at midnight in the zone, not in UTC', () => {
  const getRange = (now: string) => getBookingCriteria('today', {}, toLocalDate(now, ZONE), ZONE);
  expect(getRange('2026-11-18T10:59:59.000Z')).toMatchObject({ booked_to: '2026-11-18T10:59:59.999Z' });
  expect(getRange('2026-11-18T11:00:00.000Z')).toMatchObject({ booked_from: '2026-11-18T11:00:00.000Z' });
});

it('has 23 or 25 hours on days with a clock change', () => {
  const getHours = (today: string) => {
    const { booked_from = '', booked_to = '' } = getBookingCriteria('today', {}, today, ZONE);
    return Math.round((Date.parse(booked_to) - Date.parse(booked_from)) / 3_600_000);
  };
  expect([getHours('2026-09-27'), getHours('2026-04-05')]).toEqual([23, 25]);
});
