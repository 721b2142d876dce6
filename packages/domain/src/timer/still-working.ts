import { HOUR_MS } from '../time/time-units.ts';
import { milliseconds } from '../time/wall-time.ts';
import { addDays, localDate, startOfDay } from '../time/zoned-time.ts';

/** Of the planned hours. */
const OVERDUE_FACTOR = 2;

/** All moments are instants by the server's clock. */
export interface RunningTime {
  started_at: string;
  /** Hours. */
  planned: string | null;
  /** When its owner last said that they were still working. */
  answered_at: string | null;
  now: string;
}

export type StillWorkingReason = 'midnight' | 'overdue';

/**
 * Why the owner of a running timer is asked whether they are still working: it has run past a midnight of the company's time zone, or
 * longer than twice the planned hours. After an answer only what happens later is a reason, so that nobody is asked twice about the same.
 */
export function reasonToAsk({ started_at, planned, answered_at, now }: RunningTime, zone: string): StillWorkingReason | null {
  const [start, at] = [milliseconds(started_at), milliseconds(now)];
  const seen = answered_at === null ? start : Math.max(start, milliseconds(answered_at));
  if (milliseconds(startOfDay(localDate(now, zone), zone)) > seen) return 'midnight';
  const plannedMs = Number(planned ?? 0) * HOUR_MS;
  const overdue = start + OVERDUE_FACTOR * plannedMs;
  return plannedMs > 0 && at > overdue && overdue >= seen ? 'overdue' : null;
}

/** What a correction proposes: the planned end, else the end of the day it started on, but never later than now. */
export function likelyEnd({ started_at, planned, now }: Pick<RunningTime, 'started_at' | 'planned' | 'now'>, zone: string): string {
  const start = milliseconds(started_at);
  const plannedMs = Number(planned ?? 0) * HOUR_MS;
  const end = plannedMs > 0 ? start + plannedMs : milliseconds(startOfDay(addDays(localDate(started_at, zone), 1), zone));
  return new Date(Math.min(end, milliseconds(now))).toISOString();
}
