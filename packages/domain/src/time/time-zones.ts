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

/** Aliases that browsers report for a listed zone. Without them, Chromium in India ('Asia/Calcutta') would list Kolkata twice. */
const ZONE_ALIASES: ReadonlyMap<string, string> = new Map([
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Etc/UTC', 'UTC'],
  ['Etc/GMT', 'UTC'],
  ['GMT', 'UTC'],
]);

/** Accepts named zones that this engine knows. Rejects offsets such as '+13:00', which ignore daylight saving time. */
export function isTimeZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }).format(0) !== '';
  } catch {
    return false;
  }
}

/** Returns the listed option for a zone or its alias, a new option for an unlisted zone, or null for an invalid zone. */
export function findTimeZoneOption(zone: string): TimeZoneOption | null {
  if (!isTimeZone(zone)) return null;
  const name = ZONE_ALIASES.get(zone) ?? zone;
  return TIME_ZONES.find((option) => option.zone === name) ?? { zone, label: getCityName(zone) };
}

/** Formats a time zone for display: 'Auckland time' or 'UTC'. */
export function formatTimeZone(zone: string): string {
  const label = findTimeZoneOption(zone)?.label ?? zone;
  return label === 'UTC' ? label : `${label} time`;
}

/** Returns the 14 listed zones, followed by the `current` zone if it isn't listed. */
export function getTimeZoneOptions(current: string | null | undefined): readonly TimeZoneOption[] {
  const option = current ? findTimeZoneOption(current) : null;
  return option === null || TIME_ZONES.includes(option) ? TIME_ZONES : [...TIME_ZONES, option];
}

/** Converts 'America/Argentina/Buenos_Aires' to 'Buenos Aires'. */
function getCityName(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
}
