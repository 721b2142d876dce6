import { countText } from '../text/count-text.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './time-units.ts';
import { milliseconds, type WallTime, wallTime } from './wall-time.ts';

/** Written out instead of taken from the engine's locale data, which says 'Sept' here and there and puts a narrow space before 'AM'. */
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** 'MMM d': 'Jan 5', the day the instant falls on in the zone. */
export function formatDay(instant: string, zone: string): string {
  return dayText(wallTime(instant, zone));
}

/** 'MMM d, yyyy': 'Jan 5, 2025', the day the instant falls on in the zone. */
export function formatDate(instant: string, zone: string): string {
  return dateText(wallTime(instant, zone));
}

/** 'MMM d, yyyy' of a day ('yyyy-MM-dd') that is the same in every zone, such as the last day of a quote. */
export function formatCivilDate(date: string): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date) ?? [];
  if (!year) throw new RangeError(`Not a day: ${JSON.stringify(date.slice(0, 40))}`);
  return `${MONTHS[Number(month) - 1]} ${Number(day)}, ${Number(year)}`;
}

/** 'MMM d, yyyy h:mm a': 'Jan 5, 2025 9:05 AM' on the zone's clocks; seconds are cut off, not rounded. */
export function formatDateTime(instant: string, zone: string): string {
  const shown = wallTime(instant, zone);
  return `${dateText(shown)} ${timeText(shown)}`;
}

/** 'h:mm a': '9:05 AM' on the zone's clocks; seconds are cut off. */
export function formatTime(instant: string, zone: string): string {
  return timeText(wallTime(instant, zone));
}

const timeText = ({ hour, minute }: WallTime) => `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`;

const dayText = ({ month, day }: WallTime) => `${MONTHS[month - 1]} ${day}`;
const dateText = (shown: WallTime) => `${dayText(shown)}, ${shown.year}`;

const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ['year', 365 * DAY_MS],
  ['month', 30 * DAY_MS],
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
];

/** '5 minutes ago': whole units, cut off. A moment that is still to come, by a clock that runs ahead, counts as now. */
export function relativeTime(instant: string, now: string): string {
  const passed = milliseconds(now) - milliseconds(instant);
  const [name, ms] = UNITS.find(([, length]) => passed >= length) ?? [];
  if (name === undefined || ms === undefined) return 'less than a minute ago';
  const count = Math.floor(passed / ms);
  return `${countText(count, name)} ago`;
}
