import { pluralize } from '../text/count-format.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './time-units.ts';
import { toEpochMs, toWallTime, type WallTime } from './wall-time.ts';

/** Hard-coded because locale data varies by engine: some engines write 'Sept' or put a narrow space before 'AM'. */
const MONTH_NAMES = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Formats an instant's day in a time zone as 'Jan 5'. */
export function formatDay(instant: string, zone: string): string {
  return formatWallDay(toWallTime(instant, zone));
}

/** Formats an instant's date in a time zone as 'Jan 5, 2025'. */
export function formatDate(instant: string, zone: string): string {
  return formatWallDate(toWallTime(instant, zone));
}

/** Formats a 'yyyy-MM-dd' date that has no time zone, such as a quote's expiry date, as 'Jan 5, 2025'. */
export function formatCivilDate(date: string): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date) ?? [];
  if (!year) throw new RangeError(`Not a date: ${JSON.stringify(date.slice(0, 40))}`);
  return `${MONTH_NAMES[Number(month) - 1]} ${Number(day)}, ${Number(year)}`;
}

/** Formats an instant in a zone as 'Jan 5, 2025 9:05 AM'. Seconds are truncated, not rounded. */
export function formatDateTime(instant: string, zone: string): string {
  const wallTime = toWallTime(instant, zone);
  return `${formatWallDate(wallTime)} ${formatWallTime(wallTime)}`;
}

/** Formats an instant in a zone as '2025-01-05 09:05', which spreadsheets read as a date. Seconds are truncated, not rounded. */
export function formatSpreadsheetTime(instant: string, zone: string): string {
  const { year, month, day, hour, minute } = toWallTime(instant, zone);
  const [paddedMonth, paddedDay, paddedHour, paddedMinute] = [month, day, hour, minute].map((part) => String(part).padStart(2, '0'));
  return `${year}-${paddedMonth}-${paddedDay} ${paddedHour}:${paddedMinute}`;
}

/** Formats an instant in a zone as '9:05 AM'. Seconds are truncated, not rounded. */
export function formatTime(instant: string, zone: string): string {
  return formatWallTime(toWallTime(instant, zone));
}

const formatWallTime = ({ hour, minute }: WallTime) => `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`;

const formatWallDay = ({ month, day }: WallTime) => `${MONTH_NAMES[month - 1]} ${day}`;
const formatWallDate = (wallTime: WallTime) => `${formatWallDay(wallTime)}, ${wallTime.year}`;

const RELATIVE_UNITS: readonly (readonly [name: string, ms: number])[] = [
  ['year', 365 * DAY_MS],
  ['month', 30 * DAY_MS],
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
];

/** Formats the age of an instant in whole units, rounded down: '5 minutes ago'. A future instant, from a fast clock, counts as now. */
export function formatRelativeTime(instant: string, now: string): string {
  const elapsed = toEpochMs(now) - toEpochMs(instant);
  const [name, ms] = RELATIVE_UNITS.find(([, length]) => elapsed >= length) ?? [];
  if (name === undefined || ms === undefined) return 'less than a minute ago';
  const count = Math.floor(elapsed / ms);
  return `${pluralize(count, name)} ago`;
}
