import { afterEach, expect, test, vi } from 'vitest';
import {
  browserTimeZone,
  chooseTimeZone,
  clearTimeZones,
  companyTimeZone,
  keepSavedTimeZone,
  localDate,
  localDateTime,
  setCompanyTimeZone,
  shownTimeZone,
  timeZoneText,
} from './time-zone.ts';

const MIDNIGHT_UTC = '2026-03-31T00:00:00.000Z';
const KEY = 'callout-timezone';
const stored = () => JSON.parse(localStorage.getItem(KEY) ?? 'null') as unknown;

function reportTimeZone(timeZone: string | undefined): void {
  const options = { ...new Intl.DateTimeFormat().resolvedOptions(), timeZone } as Intl.ResolvedDateTimeFormatOptions;
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue(options);
}

afterEach(() => {
  vi.restoreAllMocks();
  clearTimeZones();
});

test('dates are shown in the time zone of the browser', () => {
  reportTimeZone('America/New_York');
  setCompanyTimeZone('Pacific/Auckland');
  expect(browserTimeZone()).toBe('America/New_York');
  expect(localDateTime(MIDNIGHT_UTC)).toBe('Mar 30, 2026 8:00 PM');
});

test.each(['Etc/Unknown', undefined, '+13:00'])('a browser that reports %s gets the time zone of the company, or UTC', (reported) => {
  reportTimeZone(reported);
  expect(localDateTime(MIDNIGHT_UTC)).toBe('Mar 31, 2026 12:00 AM');
  setCompanyTimeZone('America/New_York');
  expect(localDate(MIDNIGHT_UTC)).toBe('Mar 30, 2026');
  expect(browserTimeZone()).toBe('America/New_York');
});

test("bookings are shown in the person's own zone, else the company's, else the browser's", () => {
  reportTimeZone('Europe/London');
  expect([shownTimeZone(), companyTimeZone()]).toEqual(['Europe/London', 'Europe/London']);
  setCompanyTimeZone('Pacific/Auckland');
  expect([shownTimeZone(), companyTimeZone()]).toEqual(['Pacific/Auckland', 'Pacific/Auckland']);
  chooseTimeZone('America/New_York');
  expect([shownTimeZone(), companyTimeZone()]).toEqual(['America/New_York', 'Pacific/Auckland']);
  chooseTimeZone(null);
  expect(shownTimeZone()).toBe('Pacific/Auckland');
});

test('both zones are kept in this browser as version 1', () => {
  setCompanyTimeZone('Pacific/Auckland');
  chooseTimeZone('Asia/Tokyo');
  expect(stored()).toEqual({ state: { companyZone: 'Pacific/Auckland', ownZone: 'Asia/Tokyo' }, version: 1 });
  clearTimeZones();
  expect(localStorage.getItem(KEY)).toBeNull();
});

test('saving another zone for the company takes back an own choice that would hide it', () => {
  setCompanyTimeZone('Pacific/Auckland');
  chooseTimeZone('Asia/Tokyo');
  keepSavedTimeZone('Pacific/Auckland');
  expect(shownTimeZone()).toBe('Asia/Tokyo');
  keepSavedTimeZone('Australia/Sydney');
  expect([shownTimeZone(), companyTimeZone()]).toEqual(['Australia/Sydney', 'Australia/Sydney']);
});

test('a choice in another tab holds here too, and so does its end', () => {
  setCompanyTimeZone('Pacific/Auckland');
  const state = { companyZone: 'Pacific/Auckland', ownZone: 'Asia/Tokyo' };
  localStorage.setItem(KEY, JSON.stringify({ state, version: 1 }));
  window.dispatchEvent(new StorageEvent('storage', { key: KEY, newValue: localStorage.getItem(KEY) }));
  expect(shownTimeZone()).toBe('Asia/Tokyo');
  reportTimeZone('Europe/London');
  window.dispatchEvent(new StorageEvent('storage', { key: KEY, newValue: null }));
  expect(shownTimeZone()).toBe('Europe/London');
});

test('a zone that this browser does not know is none', () => {
  setCompanyTimeZone('Pacific/Auckland');
  chooseTimeZone('Atlantis/Capital');
  expect(shownTimeZone()).toBe('Pacific/Auckland');
});

test.each([
  ['Pacific/Auckland', 'Auckland time'],
  ['America/Argentina/Buenos_Aires', 'Buenos Aires time'],
  ['UTC', 'UTC'],
])('%s is labeled %s', (zone, text) => {
  expect(timeZoneText(zone)).toBe(text);
});

test('what another tab has cleared stays cleared', () => {
  setCompanyTimeZone('Pacific/Auckland');
  localStorage.removeItem(KEY);
  window.dispatchEvent(new StorageEvent('storage', { key: KEY, newValue: null }));
  expect(localStorage.getItem(KEY)).toBeNull();
});
