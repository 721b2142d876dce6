import { describe, expect, it } from 'vitest';
import { toTimeInputValue, toWallTime } from './wall-time.ts';

describe('wall time', () => {
  it('converts one instant to clocks around the world', () => {
    const instant = '2025-01-04T19:00:30Z';
    expect(toWallTime(instant, 'UTC')).toEqual({ year: 2025, month: 1, day: 4, hour: 19, minute: 0, second: 30 });
    expect(toWallTime(instant, 'Pacific/Auckland')).toEqual({ year: 2025, month: 1, day: 5, hour: 8, minute: 0, second: 30 });
    expect(toWallTime(instant, 'Asia/Kathmandu')).toEqual({ year: 2025, month: 1, day: 5, hour: 0, minute: 45, second: 30 });
  });

  it('represents midnight as hour 0, not 24', () => {
    expect(toWallTime('2025-01-05T00:00:00Z', 'UTC').hour).toBe(0);
  });

  it('accepts an instant with any UTC offset', () => {
    expect(toWallTime('2025-01-05T08:00:00+13:00', 'UTC').hour).toBe(19);
  });

  it.each(['', '2025-01-05', '2025-01-05T14:30', '2025-01-05T14:30:00', '2025-13-05T14:30:00Z', 'Jan 5, 2025', 'now'])(
    'rejects %j, which is not an instant',
    (text) => {
      expect(() => toWallTime(text, 'UTC')).toThrow('Not an instant');
    },
  );

  it('rejects an unknown zone', () => {
    expect(() => toWallTime('2025-01-05T00:00:00Z', 'Mars/Olympus')).toThrow(RangeError);
  });
});

it('pads the hours and minutes of a time input to two digits', () => {
  expect(toTimeInputValue({ hour: 9, minute: 5 })).toBe('09:05');
});
