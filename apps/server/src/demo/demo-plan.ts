import type { JobStatus } from '@callout/domain/jobs/job';
import { MINUTE_MS } from '@callout/domain/time/time-units';
import { addDays, localDate, startOfDay, zonedInstant } from '@callout/domain/time/zoned-time';
import type { Person } from '../platform/db/actor.ts';
import { type Work, workOf } from './demo-work.ts';

/** Somebody who does jobs, and who writes down that they are done. */
export interface Worker {
  readonly person: Person;
  readonly staffId: string;
}

export interface Crew {
  readonly josh: Worker;
  readonly sam: Worker;
  readonly hemi: Worker;
  readonly mia: Worker;
}

/** A job before it is stored. */
export interface PlannedJob {
  readonly work: Work;
  /** The name of a person or company; somebody, where it does not matter. */
  readonly customer?: string | undefined;
  readonly status: JobStatus;
  readonly worker: Worker;
  /** Null while it waits for a date. */
  readonly start: string | null;
  readonly hours: string;
  readonly createdAt: string;
  readonly isUnderWay: boolean;
}

type Name = keyof Crew;

/** Who, from when on, what, how many days ago it was taken on, and for whom. The first of Sam's is under way and overlaps the second by half an hour. */
const TODAY: readonly (readonly [Name, string, string, number, string?])[] = [
  ['josh', '07:30', 'Gas meter upgrade', 6],
  ['josh', '10:30', 'Quote visit', 3],
  ['josh', '13:00', 'Backflow tests', 8],
  ['sam', '09:00', 'Replace leaking hot water cylinder', 1],
  ['sam', '11:30', 'Blocked drain, urgent', 0],
  ['sam', '15:00', 'Tap washers', 5],
  ['hemi', '08:00', 'Annual boiler service', 9],
  ['hemi', '10:00', 'Leak under the vanity', 2],
  ['mia', '10:30', 'Site meeting', 4, 'Ridgeline Builders'],
  ['mia', '13:30', 'Final inspection', 7],
];
const UNDER_WAY = 'Replace leaking hot water cylinder';

/** Workdays ahead, who, when, what. Nobody is booked twice: from the fifth on, Josh has jobs of quotes on every other day. */
const NEXT: readonly (readonly [number, Name, string, string, JobStatus])[] = [
  [1, 'josh', '08:00', 'Gas hob installation', 'booked'],
  [1, 'josh', '13:00', 'Stormwater inspection', 'booked'],
  [1, 'sam', '08:30', 'Toilet replacement', 'booked'],
  [1, 'sam', '12:30', 'Radiator does not get warm', 'booked'],
  [1, 'hemi', '09:00', 'Outside tap', 'booked'],
  [2, 'josh', '09:00', 'Underfloor heating repair', 'booked'],
  [2, 'sam', '08:00', 'Grease trap cleaning', 'booked'],
  [2, 'sam', '10:30', 'Annual boiler service', 'contacted'],
  [2, 'hemi', '13:00', 'Kitchen mixer', 'booked'],
  [3, 'josh', '08:00', 'Bathroom rough-in', 'booked'],
  [3, 'sam', '13:00', 'Gas leak test', 'contacted'],
  [4, 'hemi', '10:30', 'Outside tap', 'pending'],
  [4, 'sam', '08:00', 'Blocked kitchen drain', 'booked'],
  [6, 'josh', '13:00', 'Toilet replacement', 'booked'],
  [8, 'sam', '10:30', 'Stormwater inspection', 'contacted'],
  [12, 'josh', '08:00', 'Gas hob installation', 'booked'],
  [15, 'sam', '13:00', 'Annual boiler service', 'pending'],
];

/** Jobs without a date, how many days ago somebody called about them, and who. */
const WAITING: readonly (readonly [string, JobStatus, number, string])[] = [
  ['Dishwasher connection', 'pending', 0, 'Ruby Chen'],
  ['Backflow test, units 1–6', 'pending', 1, 'Kauri Property Management'],
  ['Gas bayonet for heater', 'contacted', 2, 'Hamish McAllister'],
  ['Spouting repair', 'contacted', 4, 'Northcote Vets'],
  ['Annual cylinder check', 'pending', 6, 'Northside School'],
];

const later = (instant: string, minutes: number) => new Date(Date.parse(instant) + minutes * MINUTE_MS).toISOString();

export function isWorkday(date: string): boolean {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  return weekday !== 0 && weekday !== 6;
}

/** Counts from the next workday on. */
export function workdayAfter(today: string, count: number): string {
  let date = today;
  for (let left = count; left > 0; ) {
    date = addDays(date, 1);
    if (isWorkday(date)) left -= 1;
  }
  return date;
}

/** Between these minutes of a day the plan of today has jobs that are complete, one under way and others to come. */
const PLAN_FROM = 10 * 60;
const PLAN_TO = 11.5 * 60;
const STEP = 30;
/** So that the plan starts today, and its clash is today. */
const MIN_SHIFT = -7.5 * 60;
const MAX_SHIFT = 11 * 60;

/** The instant of a time in today's plan. Started at another time of day, the demo moves the plan by whole half hours to be in its middle. */
export function plannedToday(time: string, now: string, zone: string): string {
  const today = localDate(now, zone);
  const minutes = (Date.parse(now) - Date.parse(startOfDay(today, zone))) / MINUTE_MS;
  const early = Math.min(0, Math.floor((minutes - PLAN_FROM) / STEP) * STEP);
  const late = Math.max(0, Math.ceil((minutes - PLAN_TO) / STEP) * STEP);
  return later(zonedInstant(today, time, zone), Math.max(MIN_SHIFT, Math.min(MAX_SHIFT, early + late)));
}

export function plannedJobs(now: string, zone: string, crew: Crew): PlannedJob[] {
  const today = localDate(now, zone);
  const calledAt = (daysAgo: number, index: number) => {
    const call = zonedInstant(addDays(today, -daysAgo), `${String(8 + (index % 9)).padStart(2, '0')}:20`, zone);
    return [call, later(now, -STEP)].toSorted()[0] ?? call;
  };
  const ofToday = TODAY.map(([name, time, title, daysAgo, customer], index): PlannedJob => {
    const work = workOf(title);
    const start = plannedToday(time, now, zone);
    const isUnderWay = title === UNDER_WAY;
    const isOver = later(start, Number(work.hours) * 60) <= now;
    const status = isOver && !isUnderWay ? 'complete' : 'booked';
    return { work, customer, status, worker: crew[name], start, hours: work.hours, createdAt: calledAt(daysAgo, index), isUnderWay };
  });
  const next = NEXT.map(([days, name, time, title, status], index): PlannedJob => {
    const work = workOf(title);
    const start = zonedInstant(workdayAfter(today, days), time, zone);
    const createdAt = calledAt((index * 2) % 11, index);
    return { work, status, worker: crew[name], start, hours: work.hours, createdAt, isUnderWay: false };
  });
  const waiting = WAITING.map(([title, status, daysAgo, customer], index): PlannedJob => {
    const work = workOf(title);
    const createdAt = calledAt(daysAgo, index);
    return { work, customer, status, worker: crew.josh, start: null, hours: work.hours, createdAt, isUnderWay: false };
  });
  return [...ofToday, ...next, ...waiting];
}
