import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TIME_ZONES } from './time-zones.ts';
import { toWallTime } from './wall-time.ts';
import { addDays, findClockChange, getEndOfDay, getRollingPeriodRange, getStartOfDay, toInstant, toLocalDate } from './zoned-time.ts';

describe('wall time in a zone', () => {
  it('converts 8:00 in Auckland to an instant', () => {
    expect(toInstant('2025-01-05', '08:00', 'Pacific/Auckland')).toBe('2025-01-04T19:00:00.000Z');
  });

  it('resolves to its first occurrence when clocks go back', () => {
    expect(toInstant('2025-11-02', '01:30', 'America/New_York')).toBe('2025-11-02T05:30:00.000Z');
    expect(toInstant('2025-04-06', '02:30', 'Pacific/Auckland')).toBe('2025-04-05T13:30:00.000Z');
  });

  it('moves forward by the length of the gap when clocks skip it', () => {
    expect(toInstant('2025-03-09', '02:30', 'America/New_York')).toBe('2025-03-09T07:30:00.000Z');
    expect(toInstant('2025-10-05', '02:15', 'Australia/Lord_Howe')).toBe('2025-10-04T15:45:00.000Z');
  });

  it.each([
    ['2026-09-27', '02:30', 'skipped'],
    ['2026-04-05', '02:30', 'repeated'],
    ['2026-04-05', '03:30', null],
    ['2026-04-06', '02:30', null],
  ])('on %s at %s in Auckland is %s', (date, time, change) => {
    expect(findClockChange(date, time, 'Pacific/Auckland')).toBe(change);
  });

  it.each(['24:00', '8:00', '08:60', '08:00:00', ''])('rejects the time %j', (time) => {
    expect(() => toInstant('2025-01-05', time, 'UTC')).toThrow('Not a time');
  });

  it.each(['2025-02-29', '2025-1-5', '2025-00-10', '2025-01-05T00:00:00Z', ''])('rejects the date %j', (date) => {
    expect(() => getStartOfDay(date, 'UTC')).toThrow('Not a date');
  });
});

describe('day in a zone', () => {
  const countHours = (date: string, zone: string) =>
    (Date.parse(getEndOfDay(date, zone)) + 1 - Date.parse(getStartOfDay(date, zone))) / 3_600_000;

  it.each([
    ['2025-01-05', 'UTC', 24],
    ['2025-09-28', 'Pacific/Auckland', 23],
    ['2025-04-06', 'Pacific/Auckland', 25],
    ['2025-03-30', 'Europe/London', 23],
    ['2025-10-26', 'Europe/London', 25],
    ['2025-04-06', 'Australia/Lord_Howe', 24.5],
    ['2025-04-25', 'Africa/Cairo', 23],
    ['2025-11-02', 'America/Havana', 25],
    ['2011-12-30', 'Pacific/Apia', 0],
  ])('%s in %s has %d hours', (date, zone, length) => {
    expect(countHours(date, zone)).toBe(length);
  });

  it('starts at 01:00 where clocks skip midnight', () => {
    expect(getStartOfDay('2025-04-25', 'Africa/Cairo')).toBe('2025-04-24T22:00:00.000Z');
    expect(toWallTime(getStartOfDay('2025-04-25', 'Africa/Cairo'), 'Africa/Cairo')).toMatchObject({ day: 25, hour: 1, minute: 0 });
    expect(getStartOfDay('2018-11-04', 'America/Sao_Paulo')).toBe('2018-11-04T03:00:00.000Z');
  });

  it('starts at 00:30 where clocks skip the hour around midnight', () => {
    expect(getStartOfDay('1919-03-31', 'America/Toronto')).toBe('1919-03-31T04:30:00.000Z');
  });

  it('starts with the next day where clocks skip the whole day', () => {
    expect(getStartOfDay('2011-12-30', 'Pacific/Apia')).toBe('2011-12-30T10:00:00.000Z');
    expect(getStartOfDay('2011-12-31', 'Pacific/Apia')).toBe('2011-12-30T10:00:00.000Z');
  });

  it('counts calendar days across months, leap days and clock changes', () => {
    expect(addDays('2025-01-05', -30)).toBe('2024-12-06');
    expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
    expect(addDays('2025-03-30', 1)).toBe('2025-03-31');
  });
});

describe('any instant in any zone', () => {
  const zones = [
    ...TIME_ZONES.map((option) => option.zone),
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Africa/Cairo',
    'America/Havana',
    'America/Santiago',
  ];
  const anyZone = fc.constantFrom(...zones);
  const anyInstant = fc
    .date({ min: new Date('2000-01-01T00:00:00Z'), max: new Date('2040-01-01T00:00:00Z'), noInvalidDate: true })
    .map((date) => date.toISOString());

  it('falls within its local day, which ends where the next begins', () => {
    fc.assert(
      fc.property(anyInstant, anyZone, (instant, zone) => {
        const date = toLocalDate(instant, zone);
        const [from, to] = [getStartOfDay(date, zone), getEndOfDay(date, zone)];
        expect(from <= instant && instant <= to).toBe(true);
        expect([toLocalDate(from, zone), toLocalDate(to, zone)]).toEqual([date, date]);
        expect(Date.parse(getStartOfDay(addDays(date, 1), zone))).toBe(Date.parse(to) + 1);
      }),
    );
  });

  it('converts to wall time and back', () => {
    fc.assert(
      fc.property(anyInstant, anyZone, (instant, zone) => {
        const { hour, minute } = toWallTime(instant, zone);
        const time = [hour, minute].map((part) => String(part).padStart(2, '0')).join(':');
        const found = toInstant(toLocalDate(instant, zone), time, zone);
        expect(found <= instant).toBe(true);
        expect({ ...toWallTime(found, zone), second: 0 }).toEqual({ ...toWallTime(instant, zone), second: 0 });
      }),
    );
  });
});

describe('range of a rolling period', () => {
  const now = '2025-01-05T14:30:00Z';

  it('runs from midnight to the end of today', () => {
    const to = '2025-01-05T23:59:59.999Z';
    expect(getRollingPeriodRange('day', now, 'UTC')).toEqual({ from: '2025-01-05T00:00:00.000Z', to });
    expect(getRollingPeriodRange('week', now, 'UTC')).toEqual({ from: '2024-12-29T00:00:00.000Z', to });
    expect(getRollingPeriodRange('month', now, 'UTC')).toEqual({ from: '2024-12-06T00:00:00.000Z', to });
  });

  it('is null for lifetime', () => {
    expect(getRollingPeriodRange('lifetime', now, 'UTC')).toBeNull();
  });

  it("uses today's date in the zone", () => {
    expect(getRollingPeriodRange('day', now, 'Pacific/Auckland')).toEqual({
      from: '2025-01-05T11:00:00.000Z',
      to: '2025-01-06T10:59:59.999Z',
    });
    expect(getRollingPeriodRange('day', now, 'America/New_York')).toEqual({
      from: '2025-01-05T05:00:00.000Z',
      to: '2025-01-06T04:59:59.999Z',
    });
  });

  it('starts at local midnight across a clock change', () => {
    expect(getRollingPeriodRange('week', '2025-03-31T12:00:00Z', 'Europe/London')).toEqual({
      from: '2025-03-24T00:00:00.000Z',
      to: '2025-03-31T22:59:59.999Z',
    });
  });

  it('covers the whole day of a clock change', () => {
    expect(getRollingPeriodRange('day', '2025-03-30T12:00:00Z', 'Europe/London')).toEqual({
      from: '2025-03-30T00:00:00.000Z',
      to: '2025-03-30T22:59:59.999Z',
    });
    expect(getRollingPeriodRange('day', '2025-10-26T12:00:00Z', 'Europe/London')).toEqual({
      from: '2025-10-25T23:00:00.000Z',
      to: '2025-10-26T23:59:59.999Z',
    });
  });
});
