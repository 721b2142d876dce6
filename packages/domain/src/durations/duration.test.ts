import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DURATION_UNITS, formatDuration, roundMinutesToHours, roundToQuarterHour, toDisplayDuration, toHours } from './duration.ts';

describe('duration', () => {
  it('converts to hours, counting a day as 24 hours', () => {
    expect(toHours({ value: '1.5', unit: 'days' })).toBe('36');
    expect(toHours({ value: '2.50', unit: 'hours' })).toBe('2.5');
    expect(toHours({ value: '0.1', unit: 'days' })).toBe('2.4');
  });

  it.each([
    ['1', '1 hour'],
    ['1.00', '1 hour'],
    ['8', '8 hours'],
    ['0.5', '0.5 hours'],
    ['1.50', '1.5 hours'],
    ['0', '0 hours'],
    ['23', '23 hours'],
    ['24', '1 day'],
    ['36', '36 hours'],
    ['48.00', '2 days'],
    ['48.5', '48.5 hours'],
  ])('formats %s hours as %s', (hours, text) => {
    expect(formatDuration(hours)).toBe(text);
  });

  it('converts to a display duration and back without loss', () => {
    fc.assert(
      fc.property(fc.nat({ max: 4000 }), (quarters) => {
        const hours = String(quarters / 4);
        expect(toHours(toDisplayDuration(hours))).toBe(hours);
      }),
    );
  });
});

describe('quarter-hour rounding', () => {
  it.each([
    ['2025-01-05T09:07:30Z', '2025-01-05T09:15:00.000Z'],
    ['2025-01-05T09:07:29.999Z', '2025-01-05T09:00:00.000Z'],
    ['2025-01-05T23:52:30Z', '2025-01-06T00:00:00.000Z'],
    ['2025-01-05T09:15:00Z', '2025-01-05T09:15:00.000Z'],
    ['2025-01-05T09:07:30+05:45', '2025-01-05T03:30:00.000Z'],
  ])('rounds %s to %s', (instant, rounded) => {
    expect(roundToQuarterHour(instant)).toBe(rounded);
  });

  it.each([
    [113, '2'],
    [75, '1.25'],
    [67.5, '1.25'],
    [67, '1'],
    [37, '0.5'],
    [38, '0.75'],
    [15, '0.5'],
    [0, '0.5'],
    [-30, '0.5'],
  ])('rounds %d minutes to %s hours', (minutes, hours) => {
    expect(roundMinutesToHours(minutes)).toBe(hours);
  });

  it('is idempotent and moves an instant by at most 7.5 minutes', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2000-01-01T00:00:00Z'), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true }),
        (date) => {
          const rounded = roundToQuarterHour(date.toISOString());
          expect(roundToQuarterHour(rounded)).toBe(rounded);
          expect(Math.abs(Date.parse(rounded) - date.getTime())).toBeLessThanOrEqual(450_000);
        },
      ),
    );
  });
});

it('keeps the values that the database and saved requests contain', () => {
  expect(DURATION_UNITS).toEqual(['hours', 'days']);
});
