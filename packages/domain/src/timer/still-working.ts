import { HOUR_MS } from '../time/time-units.ts';
import { toEpochMs } from '../time/wall-time.ts';
import { addDays, getStartOfDay, toLocalDate } from '../time/zoned-time.ts';

/** A timer is overdue once it has run for this multiple of the planned hours. */
const OVERDUE_FACTOR = 2;

/** A timer that is still running. All instants come from the server's clock. */
export interface RunningTimer {
  started_at: string;
  /** Planned hours as a decimal string; null if none are planned. */
  planned: string | null;
  /** When the timer's owner last confirmed that they were still working. */
  answered_at: string | null;
  now: string;
}

export type StillWorkingReason = 'midnight' | 'overdue';

/**
 * Returns why the owner of a running timer should be asked "Still working?": the timer ran past midnight in the company's time zone, or
 * longer than twice the planned hours. After an answer, only later events count, so that the owner is never asked twice about the same
 * event.
 */
export function findStillWorkingReason({ started_at, planned, answered_at, now }: RunningTimer, zone: string): StillWorkingReason | null {
  const [start, nowMs] = [toEpochMs(started_at), toEpochMs(now)];
  const lastConfirmed = answered_at === null ? start : Math.max(start, toEpochMs(answered_at));
  if (toEpochMs(getStartOfDay(toLocalDate(now, zone), zone)) > lastConfirmed) return 'midnight';
  const plannedMs = Number(planned ?? 0) * HOUR_MS;
  const overdueAt = start + OVERDUE_FACTOR * plannedMs;
  return plannedMs > 0 && nowMs > overdueAt && overdueAt >= lastConfirmed ? 'overdue' : null;
}

/** Suggests an end when correcting a timer: the planned end, else the end of the day it started, but never later than now. */
export function estimateTimerEnd({ started_at, planned, now }: Pick<RunningTimer, 'started_at' | 'planned' | 'now'>, zone: string): string {
  const start = toEpochMs(started_at);
  const plannedMs = Number(planned ?? 0) * HOUR_MS;
  const end = plannedMs > 0 ? start + plannedMs : toEpochMs(getStartOfDay(addDays(toLocalDate(started_at, zone), 1), zone));
  return new Date(Math.min(end, toEpochMs(now))).toISOString();
}
