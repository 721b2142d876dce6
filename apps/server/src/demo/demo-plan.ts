import type { JobStatus } from '@callout/domain/jobs/job';
import { HOUR_MS, MINUTE_MS } from '@callout/domain/time/time-units';
import { addDays, getStartOfDay, toInstant, toLocalDate } from '@callout/domain/time/zoned-time';
import type { Person } from '../platform/db/actor.ts';
import { getWorkType, type WorkType } from './demo-work.ts';

/** A crew member. `person` records the work and may be a colleague, because an apprentice without a login can't record time. */
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

export interface PlannedJob {
  readonly work: WorkType;
  /** Name of the person or company; undefined means any customer. */
  readonly customer?: string | undefined;
  readonly status: JobStatus;
  readonly worker: Worker;
  /** Null for a job without a date. */
  readonly start: string | null;
  readonly hours: string;
  readonly createdAt: string;
  readonly isInProgress: boolean;
}

type CrewName = keyof Crew;

/** Worker, start, title, days since creation and customer. Sam's first job is in progress and overlaps his second by half an hour. */
const JOBS_TODAY: readonly (readonly [CrewName, string, string, number, string?])[] = [
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
const IN_PROGRESS_TITLE = 'Replace leaking hot water cylinder';

/** Workdays from today, worker, start, title and status. From day 5, Josh is free every other day for jobs from accepted quotes. */
const UPCOMING_JOBS: readonly (readonly [number, CrewName, string, string, JobStatus])[] = [
  [1, 'josh', '08:00', 'Gas hob installation', 'booked'],
  [1, 'josh', '13:00', 'Stormwater inspection', 'booked'],
  [1, 'sam', '08:30', 'Toilet replacement', 'booked'],
  [1, 'sam', '12:30', 'Radiator not heating up', 'booked'],
  [1, 'hemi', '09:00', 'Outside tap', 'booked'],
  [2, 'josh', '09:00', 'Underfloor heating repair', 'booked'],
  [2, 'sam', '08:00', 'Grease trap cleaning', 'booked'],
  [2, 'sam', '10:30', 'Annual boiler service', 'contacted'],
  [2, 'hemi', '13:00', 'Replace kitchen mixer', 'booked'],
  [3, 'josh', '08:00', 'Bathroom rough-in', 'booked'],
  [3, 'sam', '13:00', 'Gas leak test', 'contacted'],
  [4, 'hemi', '10:30', 'Outside tap', 'pending'],
  [4, 'sam', '08:00', 'Blocked kitchen drain', 'booked'],
  [6, 'josh', '13:00', 'Toilet replacement', 'booked'],
  [8, 'sam', '10:30', 'Stormwater inspection', 'contacted'],
  [12, 'josh', '08:00', 'Gas hob installation', 'booked'],
  [15, 'sam', '13:00', 'Annual boiler service', 'pending'],
];

/** Title, status, days since creation and customer of each job without a date. */
const UNSCHEDULED_JOBS: readonly (readonly [string, JobStatus, number, string])[] = [
  ['Dishwasher connection', 'pending', 0, 'Ruby Chen'],
  ['Backflow test, units 1–6', 'pending', 1, 'Kauri Property Management'],
  ['Gas bayonet for heater', 'contacted', 2, 'Hamish McAllister'],
  ['Spouting repair', 'contacted', 4, 'Northcote Vets'],
  ['Annual cylinder check', 'pending', 6, 'Northside School'],
];

const addMinutes = (instant: string, minutes: number) => new Date(Date.parse(instant) + minutes * MINUTE_MS).toISOString();

export function isWorkday(date: string): boolean {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  return weekday !== 0 && weekday !== 6;
}

/** Returns the date `count` workdays after `start`, skipping weekends. */
export function addWorkdays(start: string, count: number): string {
  let date = start;
  for (let left = count; left > 0; ) {
    date = addDays(date, 1);
    if (isWorkday(date)) left -= 1;
  }
  return date;
}

/** Minutes since midnight between which today's plan fits: some jobs are done, one is in progress and some are still to come. */
const PLAN_START_MINUTES = 10 * 60;
const PLAN_END_MINUTES = 11.5 * 60;
const SHIFT_STEP_MINUTES = 30;
/** Limits on the shift, which keep the plan's first job and Sam's overlapping jobs within today. */
const MIN_SHIFT_MINUTES = -7.5 * 60;
const MAX_SHIFT_MINUTES = 11 * 60;

/** Converts a time in today's plan to an instant. Outside the planned hours, the plan shifts in half-hour steps to fit the current time. */
export function getPlannedInstant(time: string, now: string, zone: string): string {
  const today = toLocalDate(now, zone);
  const minutes = (Date.parse(now) - Date.parse(getStartOfDay(today, zone))) / MINUTE_MS;
  const early = Math.min(0, Math.floor((minutes - PLAN_START_MINUTES) / SHIFT_STEP_MINUTES) * SHIFT_STEP_MINUTES);
  const late = Math.max(0, Math.ceil((minutes - PLAN_END_MINUTES) / SHIFT_STEP_MINUTES) * SHIFT_STEP_MINUTES);
  return addMinutes(toInstant(today, time, zone), Math.max(MIN_SHIFT_MINUTES, Math.min(MAX_SHIFT_MINUTES, early + late)));
}

export function buildPlannedJobs(now: string, zone: string, crew: Crew): PlannedJob[] {
  const today = toLocalDate(now, zone);
  const getCreatedAt = (daysAgo: number, index: number) => {
    const createdAt = toInstant(addDays(today, -daysAgo), `${String(8 + (index % 9)).padStart(2, '0')}:20`, zone);
    return [createdAt, addMinutes(now, -SHIFT_STEP_MINUTES)].toSorted()[0] ?? createdAt;
  };
  const todaysJobs = JOBS_TODAY.map(([name, time, title, daysAgo, customer], index): PlannedJob => {
    const work = getWorkType(title);
    const start = getPlannedInstant(time, now, zone);
    const isInProgress = title === IN_PROGRESS_TITLE;
    const isOver = addMinutes(start, Number(work.hours) * 60) <= now;
    const status = isOver && !isInProgress ? 'complete' : 'booked';
    const createdAt = getCreatedAt(daysAgo, index);
    return { work, customer, status, worker: crew[name], start, hours: work.hours, createdAt, isInProgress };
  });
  const upcomingJobs = UPCOMING_JOBS.map(([days, name, time, title, status], index): PlannedJob => {
    const work = getWorkType(title);
    const start = toInstant(addWorkdays(today, days), time, zone);
    const createdAt = getCreatedAt((index * 2) % 11, index);
    return { work, status, worker: crew[name], start, hours: work.hours, createdAt, isInProgress: false };
  });
  const unscheduledJobs = UNSCHEDULED_JOBS.map(([title, status, daysAgo, customer], index): PlannedJob => {
    const work = getWorkType(title);
    const createdAt = getCreatedAt(daysAgo, index);
    return { work, customer, status, worker: crew.josh, start: null, hours: work.hours, createdAt, isInProgress: false };
  });
  return [...todaysJobs, ...upcomingJobs, ...unscheduledJobs];
}

/** Adds hours given as a number. The domain package's version takes an exact decimal string, which the demo doesn't need. */
export const addHours = (instant: string, hours: number) => new Date(Date.parse(instant) + hours * HOUR_MS).toISOString();
