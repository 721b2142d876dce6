import { DAY_MS, MINUTE_MS } from './time-units.ts';
import { milliseconds, offsetAt, wallTime } from './wall-time.ts';

/** In this file instants are ISO text, dates 'yyyy-MM-dd', times 'HH:mm', and zones are named as in 'Pacific/Auckland'. */
const DATE = /^\d{4}-\d\d-\d\d$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** The day an instant falls on in a zone. */
export function localDate(instant: string, zone: string): string {
  const { year, month, day } = wallTime(instant, zone);
  return isoDate(Date.UTC(year, month - 1, day));
}

/** Counts days of the calendar, whatever their length; negative counts back. */
export function addDays(date: string, days: number): string {
  return isoDate(dateAsUtc(date) + days * DAY_MS);
}

/**
 * The instant at which a zone's clocks show this date and time ('HH:mm'): the first one when clocks go back, and when they skip it,
 * as much later as they skip.
 */
export function zonedInstant(date: string, time: string, zone: string): string {
  const shown = clockAsUtc(date, time);
  return isoInstant(firstShowing(shown, zone) ?? shown - offsetAt(shown - DAY_MS, zone));
}

/** Whether the clocks of a zone skip this time of that day, or show it twice because they go back. */
export function clockChangeAt(date: string, time: string, zone: string): 'skipped' | 'repeated' | null {
  const instants = showings(clockAsUtc(date, time), zone);
  if (instants.size === 0) return 'skipped';
  return instants.size > 1 ? 'repeated' : null;
}

/** The first instant of a day in a zone; 01:00 where clocks skip midnight. */
export function startOfDay(date: string, zone: string): string {
  const midnight = dateAsUtc(date);
  return isoInstant(firstShowing(midnight, zone) ?? skipAround(midnight, zone));
}

/** The last millisecond of a day in a zone, so a day of 23 or 25 hours ends where the next begins. */
export function endOfDay(date: string, zone: string): string {
  return isoInstant(milliseconds(startOfDay(addDays(date, 1), zone)) - 1);
}

/** Takes the wall time as if it were UTC. Undefined when clocks skip it. */
function firstShowing(shown: number, zone: string): number | undefined {
  const instants = showings(shown, zone);
  return instants.size > 0 ? Math.min(...instants) : undefined;
}

/** The instants at which clocks show a wall time: none when they skip it, two when they go back over it. */
function showings(shown: number, zone: string): ReadonlySet<number> {
  const offsets = [offsetAt(shown - DAY_MS, zone), offsetAt(shown + DAY_MS, zone)];
  return new Set(offsets.map((offset) => shown - offset).filter((ms) => ms + offsetAt(ms, zone) === shown));
}

function clockAsUtc(date: string, time: string): number {
  if (!TIME.test(time)) throw new RangeError(`Not a time: ${JSON.stringify(time.slice(0, 40))}`);
  const [hour = '', minute = ''] = time.split(':');
  return dateAsUtc(date) + (Number(hour) * 60 + Number(minute)) * MINUTE_MS;
}

/** The instant at which clocks jump over a wall time that they skip. */
function skipAround(shown: number, zone: string): number {
  const offsetAfter = offsetAt(shown + DAY_MS, zone);
  let before = shown - offsetAfter;
  let after = shown - offsetAt(shown - DAY_MS, zone);
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(middle, zone) === offsetAfter) after = middle;
    else before = middle;
  }
  return after;
}

function dateAsUtc(date: string): number {
  const ms = DATE.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(ms) || isoDate(ms) !== date) throw new RangeError(`Not a date: ${JSON.stringify(date.slice(0, 40))}`);
  return ms;
}

const isoInstant = (ms: number) => new Date(ms).toISOString();
const isoDate = (ms: number) => isoInstant(ms).slice(0, 10);

export const PERIODS = ['day', 'week', 'month', 'lifetime'] as const;
export type Period = (typeof PERIODS)[number];

const DAYS_BACK: Record<Exclude<Period, 'lifetime'>, number> = { day: 0, week: 7, month: 30 };

export interface PeriodRange {
  /** Both instants belong to the period. */
  from: string;
  to: string;
}

/** From 00:00 of the day 0, 7 or 30 days back to the last millisecond of today, as the zone's clocks show them; lifetime has no range. */
export function periodRange(period: Period, now: string, zone: string): PeriodRange | null {
  if (period === 'lifetime') return null;
  const today = localDate(now, zone);
  return { from: startOfDay(addDays(today, -DAYS_BACK[period]), zone), to: endOfDay(today, zone) };
}
