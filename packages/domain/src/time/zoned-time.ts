import { DAY_MS, MINUTE_MS } from './time-units.ts';
import { getUtcOffset, toEpochMs, toWallTime } from './wall-time.ts';

/** In this file, instants are ISO strings, dates are 'yyyy-MM-dd', times are 'HH:mm', and zones have names such as 'Pacific/Auckland'. */
const DATE_PATTERN = /^\d{4}-\d\d-\d\d$/;
const TIME_PATTERN = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Returns an instant's date in a time zone. */
export function toLocalDate(instant: string, zone: string): string {
  const { year, month, day } = toWallTime(instant, zone);
  return toIsoDate(Date.UTC(year, month - 1, day));
}

/** Adds calendar days, regardless of their length in hours. A negative value goes back. */
export function addDays(date: string, days: number): string {
  return toIsoDate(parseDateAsUtc(date) + days * DAY_MS);
}

/** Converts wall time to an instant. A repeated time means its first occurrence; a skipped time moves forward by the length of the gap. */
export function toInstant(date: string, time: string, zone: string): string {
  const wallMs = parseWallTimeAsUtc(date, time);
  return toIsoInstant(findFirstInstant(wallMs, zone) ?? wallMs - getUtcOffset(wallMs - DAY_MS, zone));
}

/** Returns whether the zone's clocks skip a wall time or repeat it; null if neither. */
export function findClockChange(date: string, time: string, zone: string): 'skipped' | 'repeated' | null {
  const instants = getInstantsShowing(parseWallTimeAsUtc(date, time), zone);
  if (instants.size === 0) return 'skipped';
  return instants.size > 1 ? 'repeated' : null;
}

/** Returns the first instant of a day in a zone, which is 01:00 where clocks skip midnight. */
export function getStartOfDay(date: string, zone: string): string {
  const midnight = parseDateAsUtc(date);
  return toIsoInstant(findFirstInstant(midnight, zone) ?? findSkipInstant(midnight, zone));
}

/** Returns the last millisecond of a day in a zone. Days with a clock change have 23 or 25 hours. */
export function getEndOfDay(date: string, zone: string): string {
  return toIsoInstant(toEpochMs(getStartOfDay(addDays(date, 1), zone)) - 1);
}

/** Returns the first instant at which clocks show `wallMs`, a wall time read as UTC; undefined if clocks skip it. */
function findFirstInstant(wallMs: number, zone: string): number | undefined {
  const instants = getInstantsShowing(wallMs, zone);
  return instants.size > 0 ? Math.min(...instants) : undefined;
}

/** Returns the instants at which clocks show `wallMs`, a wall time read as UTC: none if they skip it, two if they repeat it. */
function getInstantsShowing(wallMs: number, zone: string): ReadonlySet<number> {
  const offsets = [getUtcOffset(wallMs - DAY_MS, zone), getUtcOffset(wallMs + DAY_MS, zone)];
  return new Set(offsets.map((offset) => wallMs - offset).filter((ms) => ms + getUtcOffset(ms, zone) === wallMs));
}

function parseWallTimeAsUtc(date: string, time: string): number {
  if (!TIME_PATTERN.test(time)) throw new RangeError(`Not a time: ${JSON.stringify(time.slice(0, 40))}`);
  const [hour = '', minute = ''] = time.split(':');
  return parseDateAsUtc(date) + (Number(hour) * 60 + Number(minute)) * MINUTE_MS;
}

/** Finds the instant at which clocks jump over a skipped wall time, by binary search. */
function findSkipInstant(wallMs: number, zone: string): number {
  const offsetAfter = getUtcOffset(wallMs + DAY_MS, zone);
  let before = wallMs - offsetAfter;
  let after = wallMs - getUtcOffset(wallMs - DAY_MS, zone);
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (getUtcOffset(middle, zone) === offsetAfter) after = middle;
    else before = middle;
  }
  return after;
}

function parseDateAsUtc(date: string): number {
  const ms = DATE_PATTERN.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(ms) || toIsoDate(ms) !== date) throw new RangeError(`Not a date: ${JSON.stringify(date.slice(0, 40))}`);
  return ms;
}

const toIsoInstant = (ms: number) => new Date(ms).toISOString();
const toIsoDate = (ms: number) => toIsoInstant(ms).slice(0, 10);

export const ROLLING_PERIODS = ['day', 'week', 'month', 'lifetime'] as const;
export type RollingPeriod = (typeof ROLLING_PERIODS)[number];

const DAYS_BACK: Record<Exclude<RollingPeriod, 'lifetime'>, number> = { day: 0, week: 7, month: 30 };

export interface InstantRange {
  /** `from` and `to` are both inclusive. */
  from: string;
  to: string;
}

/** Returns the range from midnight 0, 7 or 30 days ago to the last millisecond of today in the zone; null for 'lifetime'. */
export function getRollingPeriodRange(period: RollingPeriod, now: string, zone: string): InstantRange | null {
  if (period === 'lifetime') return null;
  const today = toLocalDate(now, zone);
  return { from: getStartOfDay(addDays(today, -DAYS_BACK[period]), zone), to: getEndOfDay(today, zone) };
}
