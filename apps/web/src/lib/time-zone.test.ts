import { afterEach, expect, test, vi } from 'vitest';
import { browserTimeZone, companyTimeZone, localDate, localDateTime, setCompanyTimeZone } from './time-zone.ts';

const MIDNIGHT_UTC = '2026-03-31T00:00:00.000Z';

function reportTimeZone(timeZone: string | undefined): void {
  const options = { ...new Intl.DateTimeFormat().resolvedOptions(), timeZone } as Intl.ResolvedDateTimeFormatOptions;
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue(options);
}

afterEach(() => {
  vi.restoreAllMocks();
  setCompanyTimeZone(null);
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

test('bookings are in the time zone of the company, whatever this browser kept of an earlier one', () => {
  reportTimeZone('Europe/London');
  vi.stubGlobal('localStorage', { getItem: () => 'America/New_York' });
  expect(companyTimeZone()).toBe('America/New_York');
  setCompanyTimeZone('Pacific/Auckland');
  expect(companyTimeZone()).toBe('Pacific/Auckland');
  vi.unstubAllGlobals();
});
