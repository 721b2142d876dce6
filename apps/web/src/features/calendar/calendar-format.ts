import type { Clash } from '@callout/contract/calendar';
import { formatDay, formatTime } from '@callout/domain/time/date-format';
import { HOUR_MS } from '@callout/domain/time/time-units';
import { getUtcOffset, toEpochMs } from '@callout/domain/time/wall-time';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import type { EventBox } from './calendar-layout.ts';
import { formatWeekday } from './calendar-view.ts';

/** Returns true if clocks have gone back and `instant` is the second time that its wall time occurs. */
function isSecondOccurrence(instant: string, zone: string): boolean {
  const ms = toEpochMs(instant);
  const offset = getUtcOffset(ms, zone);
  const back = getUtcOffset(ms - MAX_CLOCK_CHANGE_MS, zone) - offset;
  return back > 0 && getUtcOffset(ms - back, zone) > offset;
}

const MAX_CLOCK_CHANGE_MS = 2 * HOUR_MS;

/** Formats '2:15 AM', or '2:15 AM (again)' if clocks have gone back and the wall time occurs a second time. */
const formatEventTime = (instant: string, zone: string) =>
  `${formatTime(instant, zone)}${isSecondOccurrence(instant, zone) ? ' (again)' : ''}`;

/** Formats '9:00 – 10:30 AM' or '11:30 AM – 1:00 PM'. Omits the first AM or PM if both times share it. */
export function formatTimeRange(start: string, end: string, zone: string): string {
  const [from, to] = [formatEventTime(start, zone), formatEventTime(end, zone)];
  const isSameMeridiem = !from.endsWith(')') && from.slice(-2) === formatTime(end, zone).slice(-2);
  return `${isSameMeridiem ? from.slice(0, -3) : from} – ${to}`;
}

const formatWeekdayTime = (instant: string, zone: string) => `${formatWeekday(toLocalDate(instant, zone))} ${formatTime(instant, zone)}`;

/** Formats an event's times on one of its days: '9:00 – 10:30 AM', '9:00 PM – Sat 11:00 AM', 'from Fri 9:00 PM' or 'until 11:00 AM'. */
export function formatSegmentTimes(
  { event, startsHere, endsHere }: Pick<EventBox, 'event' | 'startsHere' | 'endsHere'>,
  zone: string,
): string {
  const { start, end } = event;
  if (startsHere && endsHere) return formatTimeRange(start, end, zone);
  if (startsHere) return `${formatTime(start, zone)} – ${formatWeekdayTime(end, zone)}`;
  return endsHere ? `until ${formatTime(end, zone)}` : `from ${formatWeekdayTime(start, zone)}`;
}

/** Formats '30 min', '1 h' or '1 h 30 min'. */
export function formatMinutes(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(' ');
}

/** Formats 'Nov 17, 9:00 – 10:30 AM'. Omits the day if it equals `impliedDate` ('yyyy-MM-dd'). */
export function formatDatedTimeRange(start: string, end: string, zone: string, impliedDate: string): string {
  const date = toLocalDate(start, zone);
  const times =
    toLocalDate(end, zone) === date
      ? formatTimeRange(start, end, zone)
      : `${formatTime(start, zone)} – ${formatDay(end, zone)}, ${formatTime(end, zone)}`;
  return date === impliedDate ? times : `${formatDay(start, zone)}, ${times}`;
}

export const formatMoreSuffix = (count: number) => (count > 1 ? `, plus ${count - 1} more` : '');

/** Describes the first of `count` clashes. Omits the clash's day if the new booking, which begins at `start`, is on the same day. */
export function formatClash(clash: Clash, count: number, start: string, zone: string): string {
  const { staff_name, title, job_number, starts_at, ends_at, overlap_minutes } = clash;
  const what = job_number === null ? title : `${title} (#${job_number})`;
  const when = formatDatedTimeRange(starts_at, ends_at, zone, toLocalDate(start, zone));
  return `${staff_name} is already booked for ${what}, ${when} (${formatMinutes(overlap_minutes)} overlap)${formatMoreSuffix(count)}.`;
}
