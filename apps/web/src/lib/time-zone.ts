import { formatDate, formatDateTime } from '@callout/domain/time/date-format';
import { isTimeZone, listedTimeZone } from '@callout/domain/time/time-zones';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { browserStorage } from './browser-storage.ts';

interface TimeZones {
  /** As the settings had it when they were last read. */
  readonly companyZone: string | null;
  /** A person's own choice for this browser. */
  readonly ownZone: string | null;
}

const NAME = 'callout-timezone';
const NONE: TimeZones = { companyZone: null, ownZone: null };

/** Kept in this browser until the session ends. */
const useTimeZones = create<TimeZones>()(persist(() => NONE, { name: NAME, version: 1, storage: browserStorage() }));

// Tabs write the whole store: one that did not follow would bring back what another has changed.
globalThis.addEventListener?.('storage', ({ key, newValue }) => {
  if (key !== NAME) return;
  if (newValue === null) forgetTimeZones();
  else void useTimeZones.persist.rehydrate();
});

const usable = new Map<string, boolean>();

/** Asked by every row and card that shows a day: what the browser says of a zone is kept. */
function isUsable(zone: string | null | undefined): zone is string {
  if (typeof zone !== 'string') return false;
  const known = usable.get(zone) ?? isTimeZone(zone);
  usable.set(zone, known);
  return known;
}

/** Told whenever the person and their company are read. */
export function setCompanyTimeZone(zone: string | null): void {
  if (useTimeZones.getState().companyZone !== zone) useTimeZones.setState({ companyZone: zone });
}

/** After the settings were saved: an own choice would hide a new zone, so it is taken back. */
export function keepSavedTimeZone(zone: string | null): void {
  if (useTimeZones.getState().companyZone !== zone) useTimeZones.setState({ companyZone: zone, ownZone: null });
}

/** Null goes back to the company's. */
export function chooseTimeZone(zone: string | null): void {
  useTimeZones.setState({ ownZone: zone });
}

/** Another tab has cleared them: nothing of them is written again, and nothing at all if this tab has none. */
function forgetTimeZones(): void {
  const { companyZone, ownZone } = useTimeZones.getState();
  if (companyZone !== null || ownZone !== null) clearTimeZones();
}

export function clearTimeZones(): void {
  useTimeZones.setState(NONE);
  useTimeZones.persist.clearStorage();
}

/** A zone that can be formatted with: the browser's, or the company's where the browser reports none (`Etc/Unknown`), or UTC. */
export function browserTimeZone(): string {
  const zones = [Intl.DateTimeFormat().resolvedOptions().timeZone, useTimeZones.getState().companyZone];
  return zones.find(isUsable) ?? 'UTC';
}

/**
 * The zone of invoices, time sheets and histories, the same for everyone: the company's, else the browser's. Parts of a page that stay
 * open take it from `useCompanyTimeZone`.
 */
export function companyTimeZone(): string {
  const { companyZone } = useTimeZones.getState();
  return isUsable(companyZone) ? companyZone : browserTimeZone();
}

/** The zone in which bookings are shown and typed: the person's own choice, else the company's. */
export function shownTimeZone(): string {
  const { ownZone } = useTimeZones.getState();
  return isUsable(ownZone) ? ownZone : companyTimeZone();
}

/** Also when it is changed while a page is open. */
export const useShownTimeZone = (): string => useTimeZones(shownTimeZone);

/** What the person has chosen for themselves, if anything. */
export const useOwnTimeZone = (): string | null => useTimeZones(({ ownZone }) => (isUsable(ownZone) ? ownZone : null));

/** 'Auckland time', 'UTC'. */
export function timeZoneText(zone: string): string {
  const label = listedTimeZone(zone)?.label ?? zone;
  return label === 'UTC' ? label : `${label} time`;
}

/** In the time zone of the person's browser. */
export const localDate = (instant: string) => formatDate(instant, browserTimeZone());
export const localDateTime = (instant: string) => formatDateTime(instant, browserTimeZone());
