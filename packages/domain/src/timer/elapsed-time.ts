import { milliseconds } from '../time/wall-time.ts';
import type { WorkedTime } from './timer.ts';

/** Apart from the cost of time: every page shows the elapsed time of a running timer, and few need exact decimals. */
const HOUR_SECONDS = 3600;

/** Whole seconds of all entries, the running one until `now`. A clock that is behind the server's never takes time away. */
export function elapsedSeconds(entries: readonly WorkedTime[], now: string): number {
  return entries.reduce((sum, { started_at, ended_at }) => sum + secondsBetween(started_at, ended_at ?? now), 0);
}

function secondsBetween(from: string, to: string): number {
  return Math.max(0, Math.floor((milliseconds(to) - milliseconds(from)) / 1000));
}

/** '1h 50m 15s', without the parts that are zero; '0s' for nothing. */
export function elapsedText(seconds: number): string {
  const parts = [
    [Math.floor(seconds / HOUR_SECONDS), 'h'],
    [Math.floor((seconds % HOUR_SECONDS) / 60), 'm'],
    [seconds % 60, 's'],
  ] as const;
  const shown = parts.filter(([value]) => value > 0).map(([value, unit]) => `${value}${unit}`);
  return shown.length > 0 ? shown.join(' ') : '0s';
}

/** Percent of the planned hours, from 0 to 100, or null without a plan. */
export function timerProgress(seconds: number, plannedHours: string | null): number | null {
  const planned = Number(plannedHours ?? 0) * HOUR_SECONDS;
  return planned > 0 ? Math.min(100, Math.max(0, (seconds / planned) * 100)) : null;
}

export type ProgressLevel = 'normal' | 'high' | 'critical';

/** Shown in blue, orange above 75 percent and red above 90. */
export function progressLevel(percent: number): ProgressLevel {
  if (percent > 90) return 'critical';
  return percent > 75 ? 'high' : 'normal';
}
