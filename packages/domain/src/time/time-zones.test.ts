import { describe, expect, it } from 'vitest';
import { findTimeZoneOption, formatTimeZone, getTimeZoneOptions, isTimeZone, TIME_ZONES } from './time-zones.ts';

const getLabels = (current: string | null) => getTimeZoneOptions(current).map((option) => option.label);

describe('time zone options', () => {
  it('are 14 zones in a fixed order, all known to the engine', () => {
    expect(getLabels(null).join(', ')).toBe(
      'UTC, New York, Chicago, Denver, Los Angeles, Anchorage, Honolulu, London, Paris, Tokyo, Shanghai, Kolkata, Sydney, Auckland',
    );
    expect(TIME_ZONES.filter((option) => !isTimeZone(option.zone))).toEqual([]);
  });

  it('include the current zone even if it is not one of the 14', () => {
    expect(getTimeZoneOptions('Europe/Berlin').slice(14)).toEqual([{ zone: 'Europe/Berlin', label: 'Berlin' }]);
    expect(getLabels('America/Argentina/Buenos_Aires').at(-1)).toBe('Buenos Aires');
  });

  it.each([
    ['Pacific/Auckland', 'Auckland'],
    ['Asia/Calcutta', 'Kolkata'],
    ['Etc/UTC', 'UTC'],
    ['Etc/GMT', 'UTC'],
    ['GMT', 'UTC'],
  ])('treat %s as %s and do not list it twice', (zone, label) => {
    expect(findTimeZoneOption(zone)?.label).toBe(label);
    expect(getTimeZoneOptions(zone)).toHaveLength(14);
  });

  it.each([
    ['Pacific/Auckland', 'Auckland time'],
    ['America/Argentina/Buenos_Aires', 'Buenos Aires time'],
    ['UTC', 'UTC'],
  ])('format %s as %s', (zone, text) => {
    expect(formatTimeZone(zone)).toBe(text);
  });

  it.each(['', '+13:00', 'Mars/Olympus', '__proto__', 'Europe/Berlin\0', '../UTC'])('do not include the invalid zone %j', (zone) => {
    expect(isTimeZone(zone)).toBe(false);
    expect(findTimeZoneOption(zone)).toBeNull();
    expect(getTimeZoneOptions(zone)).toHaveLength(14);
  });
});
