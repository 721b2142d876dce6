import type { Clash } from '@callout/contract/calendar';
import { formatDay, formatTime } from '@callout/domain/time/date-format';
import { HOUR_MS } from '@callout/domain/time/time-units';
import { milliseconds, offsetAt } from '@callout/domain/time/wall-time';
import { localDate } from '@callout/domain/time/zoned-time';
import type { EventBox } from './calendar-layout.ts';
import { weekdayOf } from './calendar-view.ts';

/** Of a time that clocks show twice, whether it is the second one. */
function isRepeat(instant: string, zone: string): boolean {
  const ms = milliseconds(instant);
  const offset = offsetAt(ms, zone);
  const back = offsetAt(ms - LONGEST_CHANGE_MS, zone) - offset;
  return back > 0 && offsetAt(ms - back, zone) > offset;
}

const LONGEST_CHANGE_MS = 2 * HOUR_MS;

/** '2:15 AM', and '2:15 AM (again)' the second time, when clocks go back. */
const timeText = (instant: string, zone: string) => `${formatTime(instant, zone)}${isRepeat(instant, zone) ? ' (again)' : ''}`;

/** '9:00 – 10:30 AM', '11:30 AM – 1:00 PM': the half of the day twice only when it differs. */
export function timesText(start: string, end: string, zone: string): string {
  const [from, to] = [timeText(start, zone), timeText(end, zone)];
  const isSameHalf = !from.endsWith(')') && from.slice(-2) === formatTime(end, zone).slice(-2);
  return `${isSameHalf ? from.slice(0, -3) : from} – ${to}`;
}

const dayTime = (instant: string, zone: string) => `${weekdayOf(localDate(instant, zone))} ${formatTime(instant, zone)}`;

/** Of the part of an event that a day shows: '9:00 – 10:30 AM', '9:00 PM – Sat 11:00 AM', 'from Fri 9:00 PM', 'until 11:00 AM'. */
export function partText({ event, startsHere, endsHere }: Pick<EventBox, 'event' | 'startsHere' | 'endsHere'>, zone: string): string {
  const { start, end } = event;
  if (startsHere && endsHere) return timesText(start, end, zone);
  if (startsHere) return `${formatTime(start, zone)} – ${dayTime(end, zone)}`;
  return endsHere ? `until ${formatTime(end, zone)}` : `from ${dayTime(start, zone)}`;
}

/** '30 min', '1 h', '1 h 30 min'. */
export function minutesText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(' ');
}

/** As `timesText`, with the day where that is not the one that is spoken of ('yyyy-MM-dd'): 'Nov 17, 9:00 – 10:30 AM'. */
export function whenText(start: string, end: string, zone: string, day: string): string {
  const date = localDate(start, zone);
  const times =
    localDate(end, zone) === date
      ? timesText(start, end, zone)
      : `${formatTime(start, zone)} – ${formatDay(end, zone)}, ${formatTime(end, zone)}`;
  return date === day ? times : `${formatDay(start, zone)}, ${times}`;
}

export const plusMore = (count: number) => (count > 1 ? `, plus ${count - 1} more` : '');

/** Said when a clash is made: with whom, what, when and for how long. `start` is that of what is booked. */
export function clashText(clash: Clash, count: number, start: string, zone: string): string {
  const { staff_name, title, job_number, starts_at, ends_at, overlap_minutes } = clash;
  const what = job_number === null ? title : `${title} (#${job_number})`;
  const when = whenText(starts_at, ends_at, zone, localDate(start, zone));
  return `${staff_name} is already booked for ${what}, ${when} (${minutesText(overlap_minutes)} overlap)${plusMore(count)}.`;
}
