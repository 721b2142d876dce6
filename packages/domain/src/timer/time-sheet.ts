import { decimal, fixedText } from '../money/decimal.ts';
import { formatDate, formatDay } from '../time/date-format.ts';
import { DAY_MS } from '../time/time-units.ts';
import { milliseconds } from '../time/wall-time.ts';
import { addDays, localDate, startOfDay } from '../time/zoned-time.ts';
import { timeCost, type WorkedTime } from './timer.ts';

const WEEK_DAYS = 7;
/** January 5, 1970 was a Monday. */
const FIRST_MONDAY = Date.UTC(1970, 0, 5);

/** The Monday ('yyyy-MM-dd') of the week that a date falls in. */
export function weekOf(date: string): string {
  const days = Math.round((milliseconds(`${addDays(date, 0)}T00:00:00Z`) - FIRST_MONDAY) / DAY_MS);
  return addDays(date, -(((days % WEEK_DAYS) + WEEK_DAYS) % WEEK_DAYS));
}

/** The Monday of the current week on a zone's clocks. */
export const currentWeek = (now: string, zone: string) => weekOf(localDate(now, zone));

export const addWeeks = (week: string, weeks: number) => addDays(week, weeks * WEEK_DAYS);

/** The seven dates that start with `week`. */
export const daysOfWeek = (week: string): string[] => Array.from({ length: WEEK_DAYS }, (_, day) => addDays(week, day));

const noonOf = (date: string) => `${date}T12:00:00Z`;

/** 'Nov 9' of '2026-11-09'. */
export const dayText = (date: string) => formatDay(noonOf(date), 'UTC');

/** 'Nov 9 – 15, 2026', with the month and the year twice only when they differ. */
export function weekText(week: string): string {
  const last = addDays(week, WEEK_DAYS - 1);
  const end = formatDate(noonOf(last), 'UTC');
  if (week.slice(0, 4) !== last.slice(0, 4)) return `${formatDate(noonOf(week), 'UTC')} – ${end}`;
  return `${dayText(week)} – ${week.slice(0, 7) === last.slice(0, 7) ? end.replace(/^\w+ /, '') : end}`;
}

/** Where the seven days start in a zone, and where the last one ends, in milliseconds: a day has 23 or 25 hours when clocks change. */
export function dayLimits(week: string, zone: string): number[] {
  return [...daysOfWeek(week), addWeeks(week, 1)].map((date) => milliseconds(startOfDay(date, zone)));
}

/** What an entry counts on each day between the limits, in whole seconds; a running one counts until `now`. */
export function secondsPerDay({ started_at, ended_at }: WorkedTime, limits: readonly number[], now: string): number[] {
  const start = wholeSecond(started_at);
  const end = Math.max(start, wholeSecond(ended_at ?? now));
  return limits.slice(1).map((dayEnd, day) => {
    const from = Math.max(start, limits[day] ?? dayEnd);
    return Math.max(0, Math.min(end, dayEnd) - from) / 1000;
  });
}

const wholeSecond = (instant: string) => Math.floor(milliseconds(instant) / 1000) * 1000;

/** An entry as a time sheet needs it. Names stay when the person or the job is deleted, without an id. */
export interface SheetEntry extends WorkedTime {
  staff_id: string | null;
  staff_name: string;
  job_id: string | null;
  job_number: string;
  job_title: string;
  /** Whether a line of the job bills this time. */
  is_allocated: boolean;
  /** What an hour is billed at; null when the time is not billed by the hour: the job has a fixed price or was deleted. */
  hourly_rate: string | null;
}

/** Time in seconds per day of the week, and their sum. */
export interface SheetTime {
  days: number[];
  total: number;
}

export interface SheetRow<Entry> extends SheetTime {
  key: string;
  /** Time that nobody has billed: of jobs that are billed by the hour, what no line bills. */
  unbilled: SheetTime;
  /** By day: whether somebody still works. */
  running: boolean[];
  /** By day: the entries that count on it. */
  entries: Entry[][];
}

export interface JobRow<Entry> extends SheetRow<Entry> {
  job_id: string | null;
  job_number: string;
  job_title: string;
}

export interface PersonRow<Entry> extends SheetRow<Entry> {
  staff_id: string | null;
  staff_name: string;
  jobs: JobRow<Entry>[];
}

export interface TimeSheet<Entry> extends SheetRow<Entry> {
  people: PersonRow<Entry>[];
  allocated: number;
  /** What the unbilled time costs, each job's rounded once to cents. */
  unbilled_amount: string;
}

interface Part<Entry> {
  entry: Entry;
  days: number[];
  /** The day on which the entry is still running; -1 when it is not, or not in this week. */
  runsOn: number;
}

/** People by name, a person's jobs by number. A person or job that was deleted is one row per name or number. */
export function timeSheet<Entry extends SheetEntry>(
  entries: readonly Entry[],
  { week, zone, now }: { week: string; zone: string; now: string },
): TimeSheet<Entry> {
  const limits = dayLimits(week, zone);
  const parts = entries.map((entry) => partOf(entry, limits, now)).filter(({ days, runsOn }) => runsOn >= 0 || sum(days) > 0);
  const people = grouped(parts, ({ entry }) => entry.staff_id ?? `deleted ${entry.staff_name}`).map(([key, own]): PersonRow<Entry> => {
    const { staff_id, staff_name } = newest(own);
    const jobs = grouped(own, ({ entry }) => entry.job_id ?? `deleted ${entry.job_number}`).map(([jobKey, ofJob]): JobRow<Entry> => {
      const { job_id, job_number, job_title } = newest(ofJob);
      return { ...rowOf(jobKey, ofJob), job_id, job_number, job_title };
    });
    return { ...rowOf(key, own), staff_id, staff_name, jobs: jobs.toSorted((one, other) => compare(one.job_number, other.job_number)) };
  });
  return {
    ...rowOf('everyone', parts),
    people: people.toSorted((one, other) => one.staff_name.localeCompare(other.staff_name, 'en') || compare(one.key, other.key)),
    allocated: sum(parts.filter(({ entry }) => entry.is_allocated).map(({ days }) => sum(days))),
    unbilled_amount: fixedText(
      grouped(parts.filter(isUnbilled), ({ entry }) => entry.job_id ?? '')
        .map(([, ofJob]) => timeCost(sum(ofJob.map(({ days }) => sum(days))), newest(ofJob).hourly_rate ?? '0'))
        .reduce((total, amount) => total.plus(decimal(amount)), decimal('0')),
      2,
    ),
  };
}

function partOf<Entry extends SheetEntry>(entry: Entry, limits: readonly number[], now: string): Part<Entry> {
  const days = secondsPerDay(entry, limits, now);
  if (entry.ended_at !== null) return { entry, days, runsOn: -1 };
  // Somebody who has just started has not worked for a second yet.
  const latest = Math.max(wholeSecond(entry.started_at), wholeSecond(now) - 1000);
  return { entry, days, runsOn: limits.slice(1).findIndex((end, day) => latest >= (limits[day] ?? end) && latest < end) };
}

const isUnbilled = ({ entry }: Part<SheetEntry>) => !entry.is_allocated && entry.hourly_rate !== null;

function rowOf<Entry extends SheetEntry>(key: string, parts: readonly Part<Entry>[]): SheetRow<Entry> {
  const byDay = <Value>(of: (day: number) => Value) => Array.from({ length: WEEK_DAYS }, (_, day) => of(day));
  return {
    key,
    ...totalOf(parts),
    unbilled: totalOf(parts.filter(isUnbilled)),
    running: byDay((day) => parts.some(({ runsOn }) => runsOn === day)),
    entries: byDay((day) => parts.filter(({ days, runsOn }) => runsOn === day || (days[day] ?? 0) > 0).map(({ entry }) => entry)),
  };
}

function totalOf(parts: readonly Part<SheetEntry>[]): SheetTime {
  const days = Array.from({ length: WEEK_DAYS }, (_, day) => sum(parts.map((part) => part.days[day] ?? 0)));
  return { days, total: sum(days) };
}

/** The latest entry has the newest names. */
function newest<Entry extends SheetEntry>(parts: readonly Part<Entry>[]): Entry {
  const latest = parts.toSorted((one, other) => compare(other.entry.started_at, one.entry.started_at))[0];
  if (!latest) throw new RangeError('A row without entries');
  return latest.entry;
}

/** Not Map.groupBy, which phones of 2023 do not have. */
function grouped<Value>(values: readonly Value[], keyOf: (value: Value) => string): [key: string, values: Value[]][] {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group) group.push(value);
    else groups.set(keyOf(value), [value]);
  }
  return [...groups];
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** 'h:mm', rounded to the nearest minute: '7:05'. */
export function hoursText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}
