import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { elapsedSeconds, elapsedText, progressLevel, timerProgress } from './elapsed-time.ts';
import { allocatedQuantity, effectiveHourlyRate, timeCost, unitPriceOf } from './timer.ts';

const at = (seconds: number) => new Date(Date.UTC(2025, 0, 5) + seconds * 1000).toISOString();
const entry = (from: number, to: number | null) => ({ started_at: at(from), ended_at: to === null ? null : at(to) });

describe('elapsed time', () => {
  it('is all finished entries plus the running one until now', () => {
    expect(elapsedSeconds([entry(0, 1200), entry(5000, null)], at(10_415))).toBe(6615);
    expect(elapsedSeconds([], at(0))).toBe(0);
  });

  it('counts whole seconds and never below zero on a clock that is behind', () => {
    expect(elapsedSeconds([entry(0, null)], new Date(Date.UTC(2025, 0, 5) + 1999).toISOString())).toBe(1);
    expect(elapsedSeconds([entry(60, null)], at(0))).toBe(0);
  });

  it.each([
    [0, '0s'],
    [60, '1m'],
    [3605, '1h 5s'],
    [3661, '1h 1m 1s'],
    [6615, '1h 50m 15s'],
    [90_000, '25h'],
  ])('of %s seconds reads %s', (seconds, text) => {
    expect(elapsedText(seconds)).toBe(text);
  });

  it('is the same however often a timer was paused and resumed in between', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 100_000 }), { minLength: 2 }), (moments) => {
        const sorted = moments.toSorted((a, b) => a - b);
        const pieces = sorted.slice(1).map((moment, index) => entry(sorted[index] ?? 0, moment));
        expect(elapsedSeconds(pieces, at(0))).toBe((sorted.at(-1) ?? 0) - (sorted[0] ?? 0));
      }),
    );
  });
});

describe('cost of time', () => {
  it.each([
    [5400, '60', '90.00'],
    [3725, '45.50', '47.08'],
    [3600, '85', '85.00'],
    [0, '85', '0.00'],
    [1, '18', '0.01'],
  ])('%s seconds at %s an hour cost %s', (seconds, rate, cost) => {
    expect(timeCost(seconds, rate)).toBe(cost);
  });

  it.each([
    ['the assigned person', { staff: '85', job: '60', company: '50' }, '85'],
    ['the job, when the person has none', { staff: null, job: '60', company: '50' }, '60'],
    ['the job, when the person has 0', { staff: '0.00', job: '60', company: '50' }, '60'],
    ['the company, when the job has none', { staff: null, job: null, company: '50' }, '50'],
    ['nobody', { staff: null, job: null, company: null }, '0'],
  ])('takes the rate of %s', (_name, rates, rate) => {
    expect(effectiveHourlyRate(rates)).toBe(rate);
  });
});

describe('allocated time', () => {
  it.each([
    ['90.00', 3, '30.00'],
    ['100.00', 3, '33.33'],
    ['100.00', 6, '16.67'],
    ['0.01', 1, '0.01'],
  ])('of %s over %s costs %s each', (total, quantity, price) => {
    expect(unitPriceOf(total, quantity)).toBe(price);
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
  ])('takes a quantity of "%s" as %s', (typed, quantity) => {
    expect(allocatedQuantity(typed)).toEqual({ quantity });
  });

  it.each([
    ['2.5', 'Quantity must be a whole number'],
    ['1.5', 'Quantity must be a whole number'],
    ['1000001', 'Quantity must be at most 1,000,000'],
  ])('refuses a quantity of "%s"', (typed, error) => {
    expect(allocatedQuantity(typed)).toEqual({ error });
  });
});

describe('progress', () => {
  it('is the share of the planned hours, up to 100 percent', () => {
    expect(timerProgress(1800, '1')).toBe(50);
    expect(timerProgress(9999, '1')).toBe(100);
    expect(timerProgress(21_600, '24')).toBe(25);
  });

  it.each(['0', '0.00', null])('is unknown when %s hours are planned', (hours) => {
    expect(timerProgress(1800, hours)).toBeNull();
  });

  it.each([
    [75, 'normal'],
    [75.03, 'high'],
    [90, 'high'],
    [90.03, 'critical'],
  ])('of %s percent is %s', (percent, level) => {
    expect(progressLevel(percent)).toBe(level);
  });
});
