import { describe, expect, it } from 'vitest';
import { estimateTimerEnd, findStillWorkingReason } from './still-working.ts';

const AUCKLAND = 'Pacific/Auckland';
const NEW_YORK = 'America/New_York';
const findReason = (
  started_at: string,
  now: string,
  { planned = null, answered_at = null }: { planned?: string | null; answered_at?: string | null } = {},
  zone = AUCKLAND,
) => findStillWorkingReason({ started_at, now, planned, answered_at }, zone);

describe('a running timer asks "Still working?"', () => {
  it("after midnight in the company's time zone, not in other time zones", () => {
    // 10 PM in Auckland is 9 AM UTC, so midnight in Auckland is 11 AM UTC.
    expect(findReason('2026-11-16T09:00:00Z', '2026-11-16T10:59:59Z')).toBeNull();
    expect(findReason('2026-11-16T09:00:00Z', '2026-11-16T11:00:00Z')).toBe('midnight');
    expect(findReason('2026-11-16T23:00:00Z', '2026-11-17T01:00:00Z')).toBeNull();
    expect(findReason('2026-11-16T23:00:00Z', '2026-11-17T01:00:00Z', {}, 'UTC')).toBe('midnight');
  });

  it('but not if it was started exactly at midnight', () => {
    expect(findReason('2026-11-16T11:00:00Z', '2026-11-16T12:00:00Z')).toBeNull();
  });

  it('after twice the planned hours', () => {
    expect(findReason('2026-11-15T20:00:00Z', '2026-11-16T02:00:00Z', { planned: '3' })).toBeNull();
    expect(findReason('2026-11-15T20:00:00Z', '2026-11-16T02:00:01Z', { planned: '3' })).toBe('overdue');
    expect(findReason('2026-11-15T20:00:00Z', '2026-11-15T21:00:01Z', { planned: '0.5' })).toBe('overdue');
  });

  it.each(['0', null])('but not as overdue if the planned hours are %s', (planned) => {
    expect(findReason('2026-11-15T20:00:00Z', '2026-11-16T10:00:00Z', { planned })).toBeNull();
  });

  it('about the planned hours even if it was answered in the very instant when they were over', () => {
    const answered = (answered_at: string) => findReason('2026-11-15T20:00:00Z', '2026-11-16T03:00:00Z', { planned: '3', answered_at });
    expect(answered('2026-11-16T02:00:00Z')).toBe('overdue');
    expect(answered('2026-11-16T02:00:01Z')).toBeNull();
  });

  it('again after an answer only once it passes the next midnight', () => {
    const started = '2026-11-16T04:00:00Z';
    expect(findReason(started, '2026-11-16T06:30:00Z', { planned: '1' })).toBe('overdue');
    const answered_at = '2026-11-16T06:30:00Z';
    expect(findReason(started, '2026-11-16T10:00:00Z', { planned: '1', answered_at })).toBeNull();
    expect(findReason(started, '2026-11-16T11:00:00Z', { planned: '1', answered_at })).toBe('midnight');
    expect(findReason(started, '2026-11-17T10:00:00Z', { planned: '1', answered_at: '2026-11-16T11:05:00Z' })).toBeNull();
    expect(findReason(started, '2026-11-17T11:00:00Z', { planned: '1', answered_at: '2026-11-16T11:05:00Z' })).toBe('midnight');
  });

  it('at local midnight on days when clocks change', () => {
    // Auckland sets its clocks back on April 5, 2026 at 3 AM and forward on September 27 at 2 AM.
    expect(findReason('2026-04-04T20:00:00Z', '2026-04-05T11:59:59Z')).toBeNull();
    expect(findReason('2026-04-04T20:00:00Z', '2026-04-05T12:00:00Z')).toBe('midnight');
    expect(findReason('2026-09-26T20:00:00Z', '2026-09-27T10:59:59Z')).toBeNull();
    expect(findReason('2026-09-26T20:00:00Z', '2026-09-27T11:00:00Z')).toBe('midnight');
  });

  it('after twice the planned hours have elapsed across a clock change', () => {
    // New York's clocks go back at 2 AM on November 1, 2026, so midnight to 4 AM lasts five hours.
    expect(findReason('2026-11-01T04:00:00Z', '2026-11-01T08:00:00Z', { planned: '2' }, NEW_YORK)).toBeNull();
    expect(findReason('2026-11-01T04:00:00Z', '2026-11-01T08:00:01Z', { planned: '2' }, NEW_YORK)).toBe('overdue');
  });

  it('but not when the clock is behind the start time', () => {
    expect(findReason('2026-11-16T11:30:00Z', '2026-11-16T10:30:00Z', { planned: '1' })).toBeNull();
  });
});

describe('suggested end of a timer', () => {
  const suggestEnd = (planned: string | null, now: string) =>
    estimateTimerEnd({ started_at: '2026-11-16T04:00:00Z', planned, now }, AUCKLAND);

  it('is the planned end', () => {
    expect(suggestEnd('3', '2026-11-16T20:00:00Z')).toBe('2026-11-16T07:00:00.000Z');
  });

  it('is the end of the day if no hours are planned', () => {
    expect(suggestEnd(null, '2026-11-16T20:00:00Z')).toBe('2026-11-16T11:00:00.000Z');
    expect(suggestEnd('0', '2026-11-16T20:00:00Z')).toBe('2026-11-16T11:00:00.000Z');
  });

  it('is never in the future', () => {
    expect(suggestEnd(null, '2026-11-16T05:00:00Z')).toBe('2026-11-16T05:00:00.000Z');
  });
});
