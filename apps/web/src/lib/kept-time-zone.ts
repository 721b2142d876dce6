const KEY = 'callout-timezone';

/** The zone this person chose in the settings, for the calendar of this browser; forgotten with the session. */
export function keptTimeZone(): string | null {
  return localStorage.getItem(KEY);
}

export function keepTimeZone(zone: string | null): void {
  if (zone === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, zone);
}
