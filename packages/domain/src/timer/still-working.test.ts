import { describe, expect, it } from 'vitest';
import { likelyEnd, reasonToAsk } from './still-working.ts';

const AUCKLAND = 'Pacific/Auckland';
const NEW_YORK = 'America/New_York';
const ask = (
  started_at: string,
  now: string,
  { planned = null, answered_at = null }: { planned?: string | null; answered_at?: string | null } = {},
  zone = AUCKLAND,
) => reasonToAsk({ started_at, now, planned, answered_at }, zone);

describe('a running timer asks "Still working?"', () => {
  it("past midnight on the company's clocks, not on others", () => {
    // 10 PM in Auckland is 9 AM in UTC: midnight there is 11 AM here.
    expect(ask('2026-11-16T09:00:00Z', '2026-11-16T10:59:59Z')).toBeNull();
    expect(ask('2026-11-16T09:00:00Z', '2026-11-16T11:00:00Z')).toBe('midnight');
    expect(ask('2026-11-16T23:00:00Z', '2026-11-17T01:00:00Z')).toBeNull();
    expect(ask('2026-11-16T23:00:00Z', '2026-11-17T01:00:00Z', {}, 'UTC')).toBe('midnight');
  });

  it('not when it was started at midnight itself', () => {
    expect(ask('2026-11-16T11:00:00Z', '2026-11-16T12:00:00Z')).toBeNull();
  });

  it('past twice the planned hours', () => {
    expect(ask('2026-11-15T20:00:00Z', '2026-11-16T02:00:00Z', { planned: '3' })).toBeNull();
    expect(ask('2026-11-15T20:00:00Z', '2026-11-16T02:00:01Z', { planned: '3' })).toBe('overdue');
    expect(ask('2026-11-15T20:00:00Z', '2026-11-15T21:00:01Z', { planned: '0.5' })).toBe('overdue');
  });

  it.each(['0', null])('never for its hours when %s are planned', (planned) => {
    expect(ask('2026-11-15T20:00:00Z', '2026-11-16T10:00:00Z', { planned })).toBeNull();
  });

  it('once, until something happens after the answer', () => {
    const started = '2026-11-16T04:00:00Z';
    expect(ask(started, '2026-11-16T06:30:00Z', { planned: '1' })).toBe('overdue');
    const answered_at = '2026-11-16T06:30:00Z';
    expect(ask(started, '2026-11-16T10:00:00Z', { planned: '1', answered_at })).toBeNull();
    expect(ask(started, '2026-11-16T11:00:00Z', { planned: '1', answered_at })).toBe('midnight');
    expect(ask(started, '2026-11-17T10:00:00Z', { planned: '1', answered_at: '2026-11-16T11:05:00Z' })).toBeNull();
    expect(ask(started, '2026-11-17T11:00:00Z', { planned: '1', answered_at: '2026-11-16T11:05:00Z' })).toBe('midnight');
  });

  it('at the real midnight of the days on which clocks change', () => {
    // Auckland sets its clocks back on April 5, 2026 at 3 AM and forward on September 27 at 2 AM.
    expect(ask('2026-04-04T20:00:00Z', '2026-04-05T11:59:59Z')).toBeNull();
    expect(ask('2026-04-04T20:00:00Z', '2026-04-05T12:00:00Z')).toBe('midnight');
    expect(ask('2026-09-26T20:00:00Z', '2026-09-27T10:59:59Z')).toBeNull();
    expect(ask('2026-09-26T20:00:00Z', '2026-09-27T11:00:00Z')).toBe('midnight');
  });

  it('after twice the planned hours of real time across a clock change', () => {
    // New York goes back at 2 AM on November 1, 2026: from midnight to 4 AM on the clock are five hours.
    expect(ask('2026-11-01T04:00:00Z', '2026-11-01T08:00:00Z', { planned: '2' }, NEW_YORK)).toBeNull();
    expect(ask('2026-11-01T04:00:00Z', '2026-11-01T08:00:01Z', { planned: '2' }, NEW_YORK)).toBe('overdue');
  });

  it('not by a clock that is behind the start', () => {
    expect(ask('2026-11-16T11:30:00Z', '2026-11-16T10:30:00Z', { planned: '1' })).toBeNull();
  });
});

describe('the end that a correction proposes', () => {
  const end = (planned: string | null, now: string) => likelyEnd({ started_at: '2026-11-16T04:00:00Z', planned, now }, AUCKLAND);

  it('is the planned one', () => {
    expect(end('3', '2026-11-16T20:00:00Z')).toBe('2026-11-16T07:00:00.000Z');
  });

  it('is the end of the day without a plan', () => {
    expect(end(null, '2026-11-16T20:00:00Z')).toBe('2026-11-16T11:00:00.000Z');
    expect(end('0', '2026-11-16T20:00:00Z')).toBe('2026-11-16T11:00:00.000Z');
  });

  it('is never in the future', () => {
    expect(end(null, '2026-11-16T05:00:00Z')).toBe('2026-11-16T05:00:00.000Z');
  });
});
