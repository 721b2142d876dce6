import { toDecimal, toFixedString } from '../money/decimal.ts';
import { formatDate, formatDay } from '../time/date-format.ts';
import { DAY_MS } from '../time/time-units.ts';
import { toEpochMs } from '../time/wall-time.ts';
import { addDays, getStartOfDay, toLocalDate } from '../time/zoned-time.ts';
import { calculateTimeCost, type WorkedTime } from './timer.ts';

const DAYS_PER_WEEK = 7;
/** January 5, 1970 was a Monday. */
const FIRST_MONDAY = Date.UTC(1970, 0, 5);

/** Returns the Monday ('yyyy-MM-dd') of the week that contains a date. */
export function getWeekStart(date: string): string {
  const days = Math.round((toEpochMs(`${addDays(date, 0)}T00:00:00Z`) - FIRST_MONDAY) / DAY_MS);
  return addDays(date, -(((days % DAYS_PER_WEEK) + DAYS_PER_WEEK) % DAYS_PER_WEEK));
}

/** Returns the Monday of the current week in a zone. */
export const getCurrentWeek = (now: string, zone: string) => getWeekStart(toLocalDate(now, zone));

export const addWeeks = (week: string, weeks: number) => addDays(week, weeks * DAYS_PER_WEEK);

/** Returns all seven dates of a week, given its Monday. */
export const getWeekDates = (week: string): string[] => Array.from({ length: DAYS_PER_WEEK }, (_, day) => addDays(week, day));

const getNoon = (date: string) => `${date}T12:00:00Z`;

/** Formats '2026-11-09' as 'Nov 9'. */
export const formatCivilDay = (date: string) => formatDay(getNoon(date), 'UTC');

/** Formats a week as 'Nov 9 – 15, 2026'. Repeats the month and the year only if they differ. */
export function formatWeek(week: string): string {
  const last = addDays(week, DAYS_PER_WEEK - 1);
  const end = formatDate(getNoon(last), 'UTC');
  if (week.slice(0, 4) !== last.slice(0, 4)) return `${formatDate(getNoon(week), 'UTC')} – ${end}`;
  return `${formatCivilDay(week)} – ${week.slice(0, 7) === last.slice(0, 7) ? end.replace(/^\w+ /, '') : end}`;
}

/** Returns the start of each day and the end of the last day, in epoch milliseconds. Days with a clock change have 23 or 25 hours. */
export function getDayBoundaries(week: string, zone: string): number[] {
  return [...getWeekDates(week), addWeeks(week, 1)].map((date) => toEpochMs(getStartOfDay(date, zone)));
}

/** Splits an entry into whole seconds per day; a running entry counts until `now`. */
export function calculateSecondsPerDay({ started_at, ended_at }: WorkedTime, bounds: readonly number[], now: string): number[] {
  const start = floorToSecond(started_at);
  const end = Math.max(start, floorToSecond(ended_at ?? now));
  return bounds.slice(1).map((dayEnd, day) => {
    const from = Math.max(start, bounds[day] ?? dayEnd);
    return Math.max(0, Math.min(end, dayEnd) - from) / 1000;
  });
}

const floorToSecond = (instant: string) => Math.floor(toEpochMs(instant) / 1000) * 1000;

/** A time entry. If its person or job is deleted, the name remains and the id becomes null. */
export interface TimeSheetEntry extends WorkedTime {
  staff_id: string | null;
  staff_name: string;
  job_id: string | null;
  job_number: string;
  job_title: string;
  /** True if a line item of the job bills this time. */
  is_allocated: boolean;
  /** Price per hour; null if the time isn't billed by the hour because the job has a fixed price or was deleted. */
  hourly_rate: string | null;
}

/** Seconds per day of the week, and their sum. */
export interface TimeSheetTotals {
  days: number[];
  total: number;
}

export interface TimeSheetRow<Entry> extends TimeSheetTotals {
  key: string;
  /** Time on hourly jobs that no line item bills yet. */
  unbilled: TimeSheetTotals;
  /** For each day, whether a timer is still running. */
  running: boolean[];
  /** For each day, the entries with time on that day. */
  entries: Entry[][];
}

export interface TimeSheetJobRow<Entry> extends TimeSheetRow<Entry> {
  job_id: string | null;
  job_number: string;
  job_title: string;
}

export interface TimeSheetPersonRow<Entry> extends TimeSheetRow<Entry> {
  staff_id: string | null;
  staff_name: string;
  jobs: TimeSheetJobRow<Entry>[];
}

export interface TimeSheet<Entry> extends TimeSheetRow<Entry> {
  people: TimeSheetPersonRow<Entry>[];
  allocated: number;
  /** Approximate value of the unbilled time, rounded to cents once per job. Billing rounds a job's time of all weeks once. */
  unbilled_amount: string;
}

interface WeekEntry<Entry> {
  entry: Entry;
  days: number[];
  /** Index of the day on which the entry is still running; -1 if the entry has ended or is running in another week. */
  runningDay: number;
}

/** Builds a sheet with people sorted by name and their jobs by number. Groups deleted people by name and deleted jobs by number. */
export function buildTimeSheet<Entry extends TimeSheetEntry>(
  entries: readonly Entry[],
  { week, zone, now }: { week: string; zone: string; now: string },
): TimeSheet<Entry> {
  const bounds = getDayBoundaries(week, zone);
  const parts = entries.map((entry) => splitEntry(entry, bounds, now)).filter(({ days, runningDay }) => runningDay >= 0 || sum(days) > 0);
  const people = groupBy(parts, ({ entry }) => entry.staff_id ?? `deleted ${entry.staff_name}`).map(
    ([key, group]): TimeSheetPersonRow<Entry> => {
      const { staff_id, staff_name } = getLatestEntry(group);
      const jobs = groupBy(group, ({ entry }) => entry.job_id ?? `deleted ${entry.job_number}`).map(
        ([jobKey, jobGroup]): TimeSheetJobRow<Entry> => {
          const { job_id, job_number, job_title } = getLatestEntry(jobGroup);
          return { ...buildRow(jobKey, jobGroup), job_id, job_number, job_title };
        },
      );
      const sortedJobs = jobs.toSorted((one, other) => compareText(one.job_number, other.job_number));
      return { ...buildRow(key, group), staff_id, staff_name, jobs: sortedJobs };
    },
  );
  return {
    ...buildRow('everyone', parts),
    people: people.toSorted((one, other) => one.staff_name.localeCompare(other.staff_name, 'en') || compareText(one.key, other.key)),
    allocated: sum(parts.filter(({ entry }) => entry.is_allocated).map(({ days }) => sum(days))),
    unbilled_amount: toFixedString(
      groupBy(parts.filter(isUnbilled), ({ entry }) => entry.job_id ?? '')
        .map(([, jobGroup]) => calculateTimeCost(sum(jobGroup.map(({ days }) => sum(days))), getLatestEntry(jobGroup).hourly_rate ?? '0'))
        .reduce((total, amount) => total.plus(toDecimal(amount)), toDecimal('0')),
      2,
    ),
  };
}

function splitEntry<Entry extends TimeSheetEntry>(entry: Entry, bounds: readonly number[], now: string): WeekEntry<Entry> {
  const days = calculateSecondsPerDay(entry, bounds, now);
  if (entry.ended_at !== null) return { entry, days, runningDay: -1 };
  // A timer that has just started counts as running, even though no full second has passed.
  const latest = Math.max(floorToSecond(entry.started_at), floorToSecond(now) - 1000);
  return { entry, days, runningDay: bounds.slice(1).findIndex((end, day) => latest >= (bounds[day] ?? end) && latest < end) };
}

const isUnbilled = ({ entry }: WeekEntry<TimeSheetEntry>) => !entry.is_allocated && entry.hourly_rate !== null;

function buildRow<Entry extends TimeSheetEntry>(key: string, parts: readonly WeekEntry<Entry>[]): TimeSheetRow<Entry> {
  const byDay = <Value>(getValue: (day: number) => Value) => Array.from({ length: DAYS_PER_WEEK }, (_, day) => getValue(day));
  return {
    key,
    ...calculateTotals(parts),
    unbilled: calculateTotals(parts.filter(isUnbilled)),
    running: byDay((day) => parts.some(({ runningDay }) => runningDay === day)),
    entries: byDay((day) => parts.filter(({ days, runningDay }) => runningDay === day || (days[day] ?? 0) > 0).map(({ entry }) => entry)),
  };
}

function calculateTotals(parts: readonly WeekEntry<TimeSheetEntry>[]): TimeSheetTotals {
  const days = Array.from({ length: DAYS_PER_WEEK }, (_, day) => sum(parts.map((part) => part.days[day] ?? 0)));
  return { days, total: sum(days) };
}

/** Returns the latest entry, because it has the current names of its person and job. */
function getLatestEntry<Entry extends TimeSheetEntry>(parts: readonly WeekEntry<Entry>[]): Entry {
  const latest = parts.toSorted((one, other) => compareText(other.entry.started_at, one.entry.started_at))[0];
  if (!latest) throw new RangeError('A time sheet row needs at least one entry');
  return latest.entry;
}

/** Replaces `Map.groupBy`, which browsers on phones from 2023 don't support. */
function groupBy<Value>(values: readonly Value[], getKey: (value: Value) => string): [key: string, values: Value[]][] {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const group = groups.get(getKey(value));
    if (group) group.push(value);
    else groups.set(getKey(value), [value]);
  }
  return [...groups];
}

const compareText = (one: string, other: string) => (one < other ? -1 : Number(one > other));
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Formats seconds as hours and minutes, rounded to the nearest minute: '7:05'. */
export function formatHoursAndMinutes(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}
