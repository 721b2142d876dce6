import { formatDate, formatDateTime } from '@callout/domain/time/date-format';
import { isTimeZone } from '@callout/domain/time/time-zones';

const KEY = 'callout-timezone';

let chosenZone: string | null = null;

/** The time zone chosen in the settings, kept in this browser for the calendar; removed when the session ends. */
export function keptTimeZone(): string | null {
  return localStorage.getItem(KEY);
}

export function keepTimeZone(zone: string | null): void {
  chosenZone = zone;
  if (zone === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, zone);
}

/** Told whenever the person and their company are read. */
export function setCompanyTimeZone(zone: string | null): void {
  chosenZone = zone;
}

/** A zone that can be formatted with: the browser's, or the company's where the browser reports none (`Etc/Unknown`), or UTC. */
export function browserTimeZone(): string {
  const zones = [Intl.DateTimeFormat().resolvedOptions().timeZone, chosenZone];
  return zones.find((zone) => typeof zone === 'string' && isTimeZone(zone)) ?? 'UTC';
}

/**
 * In which work is booked, timed and shown: the company's zone, else the one kept in this browser, else the browser's. Parts of a page
 * that stay open take it from `useCompanyTimeZone`.
 */
export function companyTimeZone(): string {
  const zones = [chosenZone, keptTimeZone()];
  return zones.find((zone) => zone !== null && isTimeZone(zone)) ?? browserTimeZone();
}

/** In the time zone of the person's browser. */
export const localDate = (instant: string) => formatDate(instant, browserTimeZone());
export const localDateTime = (instant: string) => formatDateTime(instant, browserTimeZone());
