import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationInHours, durationText, shownDuration } from './duration.ts';

describe('duration', () => {
  it('is stored in hours, with 24 to a day', () => {
    expect(durationInHours({ value: '1.5', unit: 'days' })).toBe('36');
    expect(durationInHours({ value: '2.50', unit: 'hours' })).toBe('2.5');
    expect(durationInHours({ value: '0.1', unit: 'days' })).toBe('2.4');
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
    expect(durationText(hours)).toBe(text);
  });

  it('survives formatting and parsing', () => {
    fc.assert(
      fc.property(fc.nat({ max: 4000 }), (quarters) => {
        const hours = String(quarters / 4);
        expect(durationInHours(shownDuration(hours))).toBe(hours);
      }),
    );
  });
});
