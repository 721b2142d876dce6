import { afterEach, expect, test, vi } from 'vitest';
import {
  applySavedCompanyTimeZone,
  clearTimeZones,
  formatLocalDate,
  formatLocalDateTime,
  formatTimeZone,
  getBrowserTimeZone,
  getCompanyTimeZone,
  getDisplayTimeZone,
  setCompanyTimeZone,
  setMyTimeZone,
} from './time-zone.ts';

const MIDNIGHT_UTC = '2026-03-31T00:00:00.000Z';
const KEY = 'callout-timezone';
const readStored = () => JSON.parse(localStorage.getItem(KEY) ?? 'null') as unknown;

function mockBrowserTimeZone(timeZone: string | undefined): void {
  const options = { ...new Intl.DateTimeFormat().resolvedOptions(), timeZone } as Intl.ResolvedDateTimeFormatOptions;
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue(options);
}

afterEach(() => {
  vi.restoreAllMocks();
  clearTimeZones();
});

test("formats local dates in the browser's time zone", () => {
  mockBrowserTimeZone('America/New_York');
  setCompanyTimeZone('Pacific/Auckland');
  expect(getBrowserTimeZone()).toBe('America/New_York');
  expect(formatLocalDateTime(MIDNIGHT_UTC)).toBe('Mar 30, 2026 8:00 PM');
});

test.each(['Etc/Unknown', undefined, '+13:00'])("falls back to the company's time zone or UTC if the browser reports %s", (reported) => {
  mockBrowserTimeZone(reported);
  expect(formatLocalDateTime(MIDNIGHT_UTC)).toBe('Mar 31, 2026 12:00 AM');
  setCompanyTimeZone('America/New_York');
  expect(formatLocalDate(MIDNIGHT_UTC)).toBe('Mar 30, 2026');
  expect(getBrowserTimeZone()).toBe('America/New_York');
});

test("displays bookings in the personal time zone, else the company's, else the browser's", () => {
  mockBrowserTimeZone('Europe/London');
  expect([getDisplayTimeZone(), getCompanyTimeZone()]).toEqual(['Europe/London', 'Europe/London']);
  setCompanyTimeZone('Pacific/Auckland');
  expect([getDisplayTimeZone(), getCompanyTimeZone()]).toEqual(['Pacific/Auckland', 'Pacific/Auckland']);
  setMyTimeZone('America/New_York');
  expect([getDisplayTimeZone(), getCompanyTimeZone()]).toEqual(['America/New_York', 'Pacific/Auckland']);
  setMyTimeZone(null);
  expect(getDisplayTimeZone()).toBe('Pacific/Auckland');
});

test('persists both zones in localStorage as version 1', () => {
  setCompanyTimeZone('Pacific/Auckland');
  setMyTimeZone('Asia/Tokyo');
  expect(readStored()).toEqual({ state: { companyZone: 'Pacific/Auckland', ownZone: 'Asia/Tokyo' }, version: 1 });
  clearTimeZones();
  expect(localStorage.getItem(KEY)).toBeNull();
});

test('clears the personal choice when the company saves a different zone', () => {
  setCompanyTimeZone('Pacific/Auckland');
  setMyTimeZone('Asia/Tokyo');
  applySavedCompanyTimeZone('Pacific/Auckland');
  expect(getDisplayTimeZone()).toBe('Asia/Tokyo');
  applySavedCompanyTimeZone('Australia/Sydney');
  expect([getDisplayTimeZone(), getCompanyTimeZone()]).toEqual(['Australia/Sydney', 'Australia/Sydney']);
});

test('follows a personal time zone that another tab sets or clears', () => {
  setCompanyTimeZone('Pacific/Auckland');
  const state = { companyZone: 'Pacific/Auckland', ownZone: 'Asia/Tokyo' };
  localStorage.setItem(KEY, JSON.stringify({ state, version: 1 }));
  window.dispatchEvent(new StorageEvent('storage', { key: KEY, newValue: localStorage.getItem(KEY) }));
  expect(getDisplayTimeZone()).toBe('Asia/Tokyo');
  mockBrowserTimeZone('Europe/London');
  window.dispatchEvent(new StorageEvent('storage', { key: KEY, newValue: null }));
  expect(getDisplayTimeZone()).toBe('Europe/London');
});

test('ignores a zone that the browser does not support', () => {
  setCompanyTimeZone('Pacific/Auckland');
  setMyTimeZone('Atlantis/Capital');
  expect(getDisplayTimeZone()).toBe('Pacific/Auckland');
});

test.each([
  ['Pacific/Auckland', 'Auckland time'],
  ['America/Argentina/Buenos_Aires', 'Buenos Aires time'],
  ['UTC', 'UTC'],
])('formats the time zone %s as %s', (zone, text) => {
  expect(formatTimeZone(zone)).toBe(text);
});

test('does not write zones back after another tab has cleared them', () => {
  setCompanyTimeZone('Pacific/Auckland');
  localStorage.removeItem(KEY);
  window.dispatchEvent(new StorageEvent('storage', { key: KEY, newValue: null }));
  expect(localStorage.getItem(KEY)).toBeNull();
});
