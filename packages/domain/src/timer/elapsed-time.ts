// Separate from timer.ts because every page shows a running timer, but few pages need the decimal library.
import { toEpochMs } from '../time/wall-time.ts';
import type { WorkedTime } from './timer.ts';

const SECONDS_PER_HOUR = 3600;

/** Sums the entries in whole seconds; a running entry counts until `now`. Never negative, even if the clock is behind the server's. */
export function calculateElapsedSeconds(entries: readonly WorkedTime[], now: string): number {
  return entries.reduce((sum, { started_at, ended_at }) => sum + calculateSecondsBetween(started_at, ended_at ?? now), 0);
}

function calculateSecondsBetween(from: string, to: string): number {
  return Math.max(0, Math.floor((toEpochMs(to) - toEpochMs(from)) / 1000));
}

/** Formats seconds as '1h 50m 15s'. Omits parts that are zero; '0s' if all are zero. */
export function formatElapsedTime(seconds: number): string {
  const parts = [
    [Math.floor(seconds / SECONDS_PER_HOUR), 'h'],
    [Math.floor((seconds % SECONDS_PER_HOUR) / 60), 'm'],
    [seconds % 60, 's'],
  ] as const;
  const nonZero = parts.filter(([value]) => value > 0).map(([value, unit]) => `${value}${unit}`);
  return nonZero.length > 0 ? nonZero.join(' ') : '0s';
}

/** Returns the elapsed percentage of the planned hours, from 0 to 100; null if no hours are planned. */
export function calculateTimerProgress(seconds: number, plannedHours: string | null): number | null {
  const planned = Number(plannedHours ?? 0) * SECONDS_PER_HOUR;
  return planned > 0 ? Math.min(100, Math.max(0, (seconds / planned) * 100)) : null;
}

export type ProgressLevel = 'normal' | 'high' | 'critical';

/** Returns the level that determines the color: blue, orange above 75 percent, or red above 90 percent. */
export function getProgressLevel(percent: number): ProgressLevel {
  if (percent > 90) return 'critical';
  return percent > 75 ? 'high' : 'normal';
}
