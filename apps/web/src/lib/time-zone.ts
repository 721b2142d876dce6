import { formatDate, formatDateTime } from '@callout/domain/time/date-format';
import { findTimeZoneOption, formatTimeZone, isTimeZone } from '@callout/domain/time/time-zones';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { createBrowserStorage } from './browser-storage.ts';

interface TimeZoneState {
  /** The company's time zone when its settings were last loaded. */
  readonly companyZone: string | null;
  /** The time zone this person chose in this browser. */
  readonly ownZone: string | null;
}

const STORAGE_KEY = 'callout-timezone';
const INITIAL_STATE: TimeZoneState = { companyZone: null, ownZone: null };

/** Persisted in this browser until the session ends. */
const useTimeZoneStore = create<TimeZoneState>()(
  persist(() => INITIAL_STATE, { name: STORAGE_KEY, version: 1, storage: createBrowserStorage() }),
);

// Follow changes made in other tabs. Each tab writes the whole store, so a tab with old values would undo those changes.
globalThis.addEventListener?.('storage', ({ key, newValue }) => {
  if (key !== STORAGE_KEY) return;
  if (newValue === null) clearTimeZonesIfSet();
  else void useTimeZoneStore.persist.rehydrate();
});

const supportedZones = new Map<string, boolean>();

/** Cached, because every row and card with a date calls this function. */
function isSupportedZone(zone: string | null | undefined): zone is string {
  if (typeof zone !== 'string') return false;
  const isSupported = supportedZones.get(zone) ?? isTimeZone(zone);
  supportedZones.set(zone, isSupported);
  return isSupported;
}

/** Stores the company's time zone. Call when the signed-in user and their company have loaded. */
export function setCompanyTimeZone(zone: string | null): void {
  if (useTimeZoneStore.getState().companyZone !== zone) useTimeZoneStore.setState({ companyZone: zone });
}

/** Stores a saved company time zone. A new zone clears the personal choice, which would otherwise hide the change. */
export function applySavedCompanyTimeZone(zone: string | null): void {
  if (useTimeZoneStore.getState().companyZone !== zone) useTimeZoneStore.setState({ companyZone: zone, ownZone: null });
}

/** Sets the personal time zone for this browser. Null means the company's. */
export function setMyTimeZone(zone: string | null): void {
  useTimeZoneStore.setState({ ownZone: zone });
}

/** Clears the zones after another tab has done so. Does nothing if none are set, because clearing writes the storage key again. */
function clearTimeZonesIfSet(): void {
  const { companyZone, ownZone } = useTimeZoneStore.getState();
  if (companyZone !== null || ownZone !== null) clearTimeZones();
}

export function clearTimeZones(): void {
  useTimeZoneStore.setState(INITIAL_STATE);
  useTimeZoneStore.persist.clearStorage();
}

/** Returns a zone that Intl can format: the browser's, or the company's if the browser reports none (`Etc/Unknown`), or UTC. */
export function getBrowserTimeZone(): string {
  const zones = [Intl.DateTimeFormat().resolvedOptions().timeZone, useTimeZoneStore.getState().companyZone];
  return zones.find(isSupportedZone) ?? 'UTC';
}

/** Returns the time zone of invoices, time sheets and deadlines: the company's, else the browser's. */
export function getCompanyTimeZone(): string {
  const { companyZone } = useTimeZoneStore.getState();
  return isSupportedZone(companyZone) ? companyZone : getBrowserTimeZone();
}

/** Returns the time zone in which pages show and enter times: the personal choice, else the company's. */
export function getDisplayTimeZone(): string {
  const { ownZone } = useTimeZoneStore.getState();
  return isSupportedZone(ownZone) ? ownZone : getCompanyTimeZone();
}

/** Returns the display time zone and re-renders when it changes. */
export const useDisplayTimeZone = (): string => useTimeZoneStore(getDisplayTimeZone);

/** Returns the personal choice, or null if there is none. */
export const useMyTimeZone = (): string | null => useTimeZoneStore(({ ownZone }) => (isSupportedZone(ownZone) ? ownZone : null));

/** Returns the zone's name if the user could expect another one: it isn't the browser's, or they chose it over the company's. */
export function findUnexpectedTimeZone(zone: string): string | null {
  const isExpected = [getBrowserTimeZone(), getCompanyTimeZone()].every((expected) => isSameZone(expected, zone));
  return isExpected ? null : formatTimeZone(zone);
}

/** Treats aliases such as 'Asia/Calcutta' and 'Asia/Kolkata' as the same zone. */
const isSameZone = (one: string, other: string) => one === other || findTimeZoneOption(one)?.zone === findTimeZoneOption(other)?.zone;

/** Returns functions that format instants in the displayed time zone, and re-renders when the zone changes, also in another tab. */
export function useDisplayFormat() {
  const zone = useDisplayTimeZone();
  return {
    formatDisplayDate: (instant: string) => formatDate(instant, zone),
    formatDisplayDateTime: (instant: string) => formatDateTime(instant, zone),
  };
}
