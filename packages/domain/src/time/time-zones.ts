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

/** Names browsers report for a zone of the list: Chromium in India says 'Asia/Calcutta', and would show its own zone twice. */
const OLD_NAMES: ReadonlyMap<string, string> = new Map([
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Etc/UTC', 'UTC'],
  ['Etc/GMT', 'UTC'],
  ['GMT', 'UTC'],
]);

/** A named zone this engine knows. An offset such as '+13:00' is none: it would miss daylight saving. */
export function isTimeZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }).format(0) !== '';
  } catch {
    return false;
  }
}

/** The entry of the list that is this zone, also under an old name; else an entry of its own; null when it is no zone. */
export function listedTimeZone(zone: string): TimeZoneOption | null {
  if (!isTimeZone(zone)) return null;
  const name = OLD_NAMES.get(zone) ?? zone;
  return TIME_ZONES.find((option) => option.zone === name) ?? { zone, label: cityOf(zone) };
}

/** The 14 zones in their order, and the current one as an extra entry at the end when it is not among them. */
export function timeZoneOptions(current: string | null | undefined): readonly TimeZoneOption[] {
  const option = current ? listedTimeZone(current) : null;
  return option === null || TIME_ZONES.includes(option) ? TIME_ZONES : [...TIME_ZONES, option];
}

/** 'Buenos Aires' of 'America/Argentina/Buenos_Aires'. */
function cityOf(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
}
