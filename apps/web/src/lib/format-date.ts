/** The spec's three ways to write a moment; without a zone, in the browser's own. */
type Part = 'month' | 'day' | 'year' | 'hour' | 'minute' | 'dayPeriod';

const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(zone: string | undefined): Intl.DateTimeFormat {
  const key = zone ?? '';
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    hour12: true,
    ...(zone === undefined ? {} : { timeZone: zone }),
  });
  formats.set(key, made);
  return made;
}

/** Put together from parts because the ready-made text has commas and narrow spaces that the spec's formats have not. */
function partsOf(instant: string, zone: string | undefined): Record<Part, string> {
  const parts = formatIn(zone).formatToParts(new Date(instant));
  const of = (type: Part) => parts.find((part) => part.type === type)?.value ?? '';
  return { month: of('month'), day: of('day'), year: of('year'), hour: of('hour'), minute: of('minute'), dayPeriod: of('dayPeriod') };
}

/** 'MMM d': Jan 5 */
export function formatDay(instant: string, zone?: string): string {
  const { month, day } = partsOf(instant, zone);
  return `${month} ${day}`;
}

/** 'MMM d, yyyy': Jan 5, 2025 */
export function formatDate(instant: string, zone?: string): string {
  return `${formatDay(instant, zone)}, ${partsOf(instant, zone).year}`;
}

/** 'MMM d, yyyy h:mm a': Jan 5, 2025 9:05 AM */
export function formatDateTime(instant: string, zone?: string): string {
  const { hour, minute, dayPeriod } = partsOf(instant, zone);
  return `${formatDate(instant, zone)} ${hour}:${minute} ${dayPeriod}`;
}
