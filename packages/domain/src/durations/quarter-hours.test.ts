import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearestQuarterHour, resizedHours } from './quarter-hours.ts';

describe('quarter hours', () => {
  it.each([
    ['2025-01-05T09:07:30Z', '2025-01-05T09:15:00.000Z'],
    ['2025-01-05T09:07:29.999Z', '2025-01-05T09:00:00.000Z'],
    ['2025-01-05T23:52:30Z', '2025-01-06T00:00:00.000Z'],
    ['2025-01-05T09:15:00Z', '2025-01-05T09:15:00.000Z'],
    ['2025-01-05T09:07:30+05:45', '2025-01-05T03:30:00.000Z'],
  ])('round %s to %s', (instant, moved) => {
    expect(nearestQuarterHour(instant)).toBe(moved);
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
  ])('resize %d minutes to %s hours', (minutes, hours) => {
    expect(resizedHours(minutes)).toBe(hours);
  });

  it('never move by more than half a quarter, and not at all when rounded again', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2000-01-01T00:00:00Z'), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true }),
        (date) => {
          const moved = nearestQuarterHour(date.toISOString());
          expect(nearestQuarterHour(moved)).toBe(moved);
          expect(Math.abs(Date.parse(moved) - date.getTime())).toBeLessThanOrEqual(450_000);
        },
      ),
    );
  });
});
