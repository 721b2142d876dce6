export interface TimeZoneOption {
  zone: string;
  label: string;
}

export const TIME_ZONES: readonly TimeZoneOption[] = [
  { zone: 'UTC', label: 'UTC' },
  { zone: 'America/New_York', label: 'New York' },
  { zone: 'America/Chicago', label: 'Chicago' },
  { zone: 'America/Denver', label: 'Denver' },
  { zone: 'America/Los_Angeles', label: 'Los Angeles' },
  { zone: 'America/Anchorage', label: 'Anchorage' },
  { zone: 'Pacific/Honolulu', label: 'Honolulu' },
  { zone: 'Europe/London', label: 'London' },
  { zone: 'Europe/Paris', label: 'Paris' },
  { zone: 'Asia/Tokyo', label: 'Tokyo' },
  { zone: 'Asia/Shanghai', label: 'Shanghai' },
  { zone: 'Asia/Kolkata', label: 'Kolkata' },
  { zone: 'Australia/Sydney', label: 'Sydney' },
  { zone: 'Pacific/Auckland', label: 'Auckland' },
];

/** Names that browsers still report for a zone of the list. Without them India would see its own zone twice. */
const OLD_NAMES: ReadonlyMap<string, string> = new Map([
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Etc/UTC', 'UTC'],
  ['Etc/GMT', 'UTC'],
  ['GMT', 'UTC'],
]);

/** A named zone this engine knows. An offset such as '+13:00' is none: it would miss daylight saving. */
export function isTimeZone(zone: string): boolean {
  return resolvedName(zone) !== null;
}

/** The entry of the list that is this zone, whatever name it came under; else the zone itself; null when it is no zone. */
export function listedTimeZone(zone: string): TimeZoneOption | null {
  const resolved = resolvedName(zone);
  if (resolved === null) return null;
  return TIME_ZONES.find((option) => resolvedName(option.zone) === resolved) ?? { zone: resolved, label: cityOf(resolved) };
}

/** The 14 zones in their order, and the current one as an extra entry at the end when it is not among them. */
export function timeZoneOptions(current: string | null | undefined): readonly TimeZoneOption[] {
  const option = current ? listedTimeZone(current) : null;
  return option === null || TIME_ZONES.includes(option) ? TIME_ZONES : [...TIME_ZONES, option];
}

function resolvedName(zone: string): string | null {
  if (!/^[A-Za-z]/.test(zone)) return null;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: OLD_NAMES.get(zone) ?? zone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** 'Buenos Aires' of 'America/Argentina/Buenos_Aires'. */
function cityOf(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
}
