import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calculateElapsedSeconds, calculateTimerProgress, formatElapsedTime, getProgressLevel } from './elapsed-time.ts';
import {
  calculateTimeCost,
  calculateUnitPrice,
  findConflictingRate,
  getEffectiveHourlyRate,
  type HourlyRates,
  hasHourlyRate,
  hasTimePrice,
  parseAllocationQuantity,
} from './timer.ts';

const atSecond = (seconds: number) => new Date(Date.UTC(2025, 0, 5) + seconds * 1000).toISOString();
const entry = (from: number, to: number | null) => ({ started_at: atSecond(from), ended_at: to === null ? null : atSecond(to) });

it.each([
  ['the rate that applies is above 0', '45.00', null, false, true],
  ['a rate of 0 was confirmed for the job', '0.00', '0.00', true, true],
  ['the rate of 0 was not confirmed', '0.00', '0.00', false, false],
  ['a confirmed job has no rate of its own', '0.00', null, true, false],
])('whether time has a price, if %s', (_, effective, hourly_rate, hourly_rate_confirmed, expected) => {
  expect(hasTimePrice({ hourly_rate, hourly_rate_confirmed, timer: { hourly_rate: effective } })).toBe(expected);
});

describe('elapsed time', () => {
  it('is the sum of finished entries and the running entry until now', () => {
    expect(calculateElapsedSeconds([entry(0, 1200), entry(5000, null)], atSecond(10_415))).toBe(6615);
    expect(calculateElapsedSeconds([], atSecond(0))).toBe(0);
  });

  it('is counted in whole seconds and never negative, even if the clock is behind', () => {
    expect(calculateElapsedSeconds([entry(0, null)], new Date(Date.UTC(2025, 0, 5) + 1999).toISOString())).toBe(1);
    expect(calculateElapsedSeconds([entry(60, null)], atSecond(0))).toBe(0);
  });

  it.each([
    [0, '0s'],
    [60, '1m'],
    [3605, '1h 5s'],
    [3661, '1h 1m 1s'],
    [6615, '1h 50m 15s'],
    [90_000, '25h'],
  ])('of %s seconds is formatted as %s', (seconds, text) => {
    expect(formatElapsedTime(seconds)).toBe(text);
  });

  it('does not depend on how often the timer was paused and resumed', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 100_000 }), { minLength: 2 }), (seconds) => {
        const sorted = seconds.toSorted((a, b) => a - b);
        const pieces = sorted.slice(1).map((second, index) => entry(sorted[index] ?? 0, second));
        expect(calculateElapsedSeconds(pieces, atSecond(0))).toBe((sorted.at(-1) ?? 0) - (sorted[0] ?? 0));
      }),
    );
  });
});

describe('cost of worked time', () => {
  it.each([
    [5400, '60', '90.00'],
    [3725, '45.50', '47.08'],
    [3600, '85', '85.00'],
    [0, '85', '0.00'],
    [1, '18', '0.01'],
    [1, '17.28', '0.00'],
  ])('for %s seconds at %s an hour is %s', (seconds, rate, cost) => {
    expect(calculateTimeCost(seconds, rate)).toBe(cost);
  });

  it.each([
    ['the assigned person', { staff: '85', job: '60', company: '50' }, '85'],
    ['the job, when the person has none', { staff: null, job: '60', company: '50' }, '60'],
    ['the job, when the person has 0', { staff: '0.00', job: '60', company: '50' }, '60'],
    ['the company, when the job has none', { staff: null, job: null, company: '50' }, '50'],
    ['no one, which means 0', { staff: null, job: null, company: null }, '0'],
  ])('uses the rate of %s', (_name, rates, rate) => {
    expect(getEffectiveHourlyRate({ ...rates, isJobRateConfirmed: false })).toBe(rate);
  });

  it('uses a rate that was confirmed for the job instead of the rate of the assigned person', () => {
    expect(getEffectiveHourlyRate({ staff: '120', job: '60', company: '50', isJobRateConfirmed: true })).toBe('60');
    expect(getEffectiveHourlyRate({ staff: '120', job: '0', company: '50', isJobRateConfirmed: true })).toBe('0');
    expect(getEffectiveHourlyRate({ staff: '120', job: null, company: '50', isJobRateConfirmed: true })).toBe('120');
  });

  const rate = fc.option(fc.integer({ min: 0, max: 100_000 }).map((cents) => (cents / 100).toFixed(2)));
  const anyRates: fc.Arbitrary<HourlyRates> = fc.record({ staff: rate, job: rate, company: rate, isJobRateConfirmed: fc.boolean() });

  it('always uses one of the given rates, and 0 only if no one has a rate or the rate itself is 0', () => {
    fc.assert(
      fc.property(anyRates, (rates) => {
        const used = getEffectiveHourlyRate(rates);
        const given = [rates.staff, rates.job, rates.company].filter((one) => one !== null);
        expect([...given, '0']).toContain(used);
        expect(Number(used) > 0 || Number(rates.job ?? rates.company) === 0).toBe(true);
      }),
    );
  });

  it('depends on the confirmation exactly if the person and the job have different rates', () => {
    fc.assert(
      fc.property(anyRates, (rates) => {
        const [confirmed, unconfirmed] = [true, false].map((isJobRateConfirmed) =>
          getEffectiveHourlyRate({ ...rates, isJobRateConfirmed }),
        );
        expect(findConflictingRate(rates)).toBe(Number(confirmed) === Number(unconfirmed) ? null : rates.staff);
      }),
    );
  });
});

describe('allocation of unbilled time', () => {
  it.each([
    ['90.00', 3, '30.00'],
    ['100.00', 3, '33.33'],
    ['100.00', 6, '16.67'],
    ['0.01', 1, '0.01'],
    ['0.0048', 1, '0.00'],
  ])('of %s to a quantity of %s costs %s each', (total, quantity, price) => {
    expect(calculateUnitPrice(total, quantity)).toBe(price);
  });

  it.each([
    ['', 1],
    ['abc', 1],
    ['0', 1],
    ['-2', 1],
    ['0.5', 1],
    ['1e3', 1],
    [' 3 ', 3],
    ['12', 12],
  ])('parses the quantity "%s" as %s', (typed, quantity) => {
    expect(parseAllocationQuantity(typed)).toEqual({ quantity });
  });

  it.each([
    ['2.5', 'Quantity must be a whole number'],
    ['1.5', 'Quantity must be a whole number'],
    ['1000001', 'Quantity must be at most 1,000,000'],
  ])('rejects the quantity "%s"', (typed, error) => {
    expect(parseAllocationQuantity(typed)).toEqual({ error });
  });
});

describe('timer progress', () => {
  it('is the percentage of planned hours, capped at 100', () => {
    expect(calculateTimerProgress(1800, '1')).toBe(50);
    expect(calculateTimerProgress(9999, '1')).toBe(100);
    expect(calculateTimerProgress(21_600, '24')).toBe(25);
  });

  it.each(['0', '0.00', null])('is null when %s hours are planned', (hours) => {
    expect(calculateTimerProgress(1800, hours)).toBeNull();
  });

  it.each([
    [75, 'normal'],
    [75.03, 'high'],
    [90, 'high'],
    [90.03, 'critical'],
  ])('of %s percent is %s', (percent, level) => {
    expect(getProgressLevel(percent)).toBe(level);
  });
});

it('charges an hourly rate of one cent, but not of zero', () => {
  expect(['0', '0.00', '0.01', '1'].map(hasHourlyRate)).toEqual([false, false, true, true]);
});
