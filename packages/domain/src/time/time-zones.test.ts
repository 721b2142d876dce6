import { describe, expect, it } from 'vitest';
import { isTimeZone, listedTimeZone, TIME_ZONES, timeZoneOptions } from './time-zones.ts';

const labels = (current: string | null) => timeZoneOptions(current).map((option) => option.label);

describe('time zones', () => {
  it('are the 14 of the list, in order, and all known to the engine', () => {
    expect(labels(null).join(', ')).toBe(
      'UTC, New York, Chicago, Denver, Los Angeles, Anchorage, Honolulu, London, Paris, Tokyo, Shanghai, Kolkata, Sydney, Auckland',
    );
    expect(TIME_ZONES.filter((option) => !isTimeZone(option.zone))).toEqual([]);
  });

  it('include the current zone when it is not among them', () => {
    expect(timeZoneOptions('Europe/Berlin').slice(14)).toEqual([{ zone: 'Europe/Berlin', label: 'Berlin' }]);
    expect(labels('America/Argentina/Buenos_Aires').at(-1)).toBe('Buenos Aires');
  });

  it.each([
    ['Pacific/Auckland', 'Auckland'],
    ['Asia/Calcutta', 'Kolkata'],
    ['Etc/UTC', 'UTC'],
    ['GMT', 'UTC'],
  ])('recognize %s as %s and do not show it twice', (zone, label) => {
    expect(listedTimeZone(zone)?.label).toBe(label);
    expect(timeZoneOptions(zone)).toHaveLength(14);
  });

  it.each(['', '+13:00', 'Mars/Olympus', '__proto__', 'Europe/Berlin\0', '../UTC'])('refuse %j', (zone) => {
    expect(isTimeZone(zone)).toBe(false);
    expect(listedTimeZone(zone)).toBeNull();
    expect(timeZoneOptions(zone)).toHaveLength(14);
  });
});
