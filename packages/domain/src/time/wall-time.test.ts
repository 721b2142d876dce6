import { describe, expect, it } from 'vitest';
import { fieldTime, wallTime } from './wall-time.ts';

describe('wall time', () => {
  it('shows one instant on clocks around the world', () => {
    const instant = '2025-01-04T19:00:30Z';
    expect(wallTime(instant, 'UTC')).toEqual({ year: 2025, month: 1, day: 4, hour: 19, minute: 0, second: 30 });
    expect(wallTime(instant, 'Pacific/Auckland')).toEqual({ year: 2025, month: 1, day: 5, hour: 8, minute: 0, second: 30 });
    expect(wallTime(instant, 'Asia/Kathmandu')).toEqual({ year: 2025, month: 1, day: 5, hour: 0, minute: 45, second: 30 });
  });

  it('shows midnight as 0, not 24', () => {
    expect(wallTime('2025-01-05T00:00:00Z', 'UTC').hour).toBe(0);
  });

  it('reads an instant written with another offset', () => {
    expect(wallTime('2025-01-05T08:00:00+13:00', 'UTC').hour).toBe(19);
  });

  it.each(['', '2025-01-05', '2025-01-05T14:30', '2025-01-05T14:30:00', '2025-13-05T14:30:00Z', 'Jan 5, 2025', 'now'])(
    'refuses %j, which is not an instant',
    (text) => {
      expect(() => wallTime(text, 'UTC')).toThrow('Not an instant');
    },
  );

  it('refuses an unknown zone', () => {
    expect(() => wallTime('2025-01-05T00:00:00Z', 'Mars/Olympus')).toThrow(RangeError);
  });
});

it('a time field holds hours and minutes of two digits', () => {
  expect(fieldTime({ hour: 9, minute: 5 })).toBe('09:05');
});
