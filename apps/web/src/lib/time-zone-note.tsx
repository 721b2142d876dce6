import { findUnexpectedTimeZone, useDisplayTimeZone } from './time-zone.ts';

/** Names the time zone of a page's times, once per page, unless it is also the zone of the user's own clock. */
export function TimeZoneNote({ zone }: { zone?: string | undefined }) {
  const displayZone = useDisplayTimeZone();
  const name = findUnexpectedTimeZone(zone ?? displayZone);
  return name && <span className="block text-sm text-ink-3">{`Times are in ${name}`}</span>;
}
