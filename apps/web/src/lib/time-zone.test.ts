import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import {
  applySavedCompanyTimeZone,
  clearTimeZones,
  findUnexpectedTimeZone,
  getBrowserTimeZone,
  getCompanyTimeZone,
  getDisplayTimeZone,
  setCompanyTimeZone,
  setMyTimeZone,
  useDisplayFormat,
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

test("formats dates in the company's time zone or the one the person chose, never in the browser's", () => {
  mockBrowserTimeZone('America/New_York');
  setCompanyTimeZone('Pacific/Auckland');
  expect(getBrowserTimeZone()).toBe('America/New_York');
  const { result } = renderHook(useDisplayFormat);
  const format = () => [result.current.formatDisplayDate(MIDNIGHT_UTC), result.current.formatDisplayDateTime(MIDNIGHT_UTC)];
  expect(format()).toEqual(['Mar 31, 2026', 'Mar 31, 2026 1:00 PM']);
  act(() => setMyTimeZone('America/Los_Angeles'));
  expect(format()).toEqual(['Mar 30, 2026', 'Mar 30, 2026 5:00 PM']);
});

test("names the time zone only if it is not the browser's or not the company's", () => {
  mockBrowserTimeZone('Asia/Calcutta');
  setCompanyTimeZone('Asia/Kolkata');
  expect(findUnexpectedTimeZone('Asia/Kolkata')).toBeNull();
  expect(findUnexpectedTimeZone('Asia/Tokyo')).toBe('Tokyo time');
  setCompanyTimeZone('Pacific/Auckland');
  expect(findUnexpectedTimeZone('Pacific/Auckland')).toBe('Auckland time');
  expect(findUnexpectedTimeZone('Asia/Kolkata')).toBe('Kolkata time');
});

test.each(['Etc/Unknown', undefined, '+13:00'])("falls back to the company's time zone or UTC if the browser reports %s", (reported) => {
  mockBrowserTimeZone(reported);
  expect(getDisplayTimeZone()).toBe('UTC');
  setCompanyTimeZone('America/New_York');
  expect(getDisplayTimeZone()).toBe('America/New_York');
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

test('does not write zones back after another tab has cleared them', () => {
  setCompanyTimeZone('Pacific/Auckland');
  localStorage.removeItem(KEY);
  window.dispatchEvent(new StorageEvent('storage', { key: KEY, newValue: null }));
  expect(localStorage.getItem(KEY)).toBeNull();
});
