import { decimal, fixedText, quotient } from '../money/decimal.ts';
import { milliseconds } from '../time/wall-time.ts';

/** Time somebody worked on a job, in instants of whole seconds; without an end it is still running. */
export interface WorkedTime {
  started_at: string;
  ended_at: string | null;
}

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

/** Time at an hourly rate, rounded once to cents, half up. */
export function timeCost(seconds: number, hourlyRate: string): string {
  return fixedText(quotient(decimal(String(seconds)).times(decimal(hourlyRate)), decimal(String(HOUR_SECONDS)), 2), 2);
}

export interface HourlyRates {
  /** Of the person assigned to the job; 0 means not set. */
  staff: string | null;
  job: string | null;
  company: string | null;
}

/** The assigned person's rate, else the job's, else the company's default, else 0. */
export function effectiveHourlyRate({ staff, job, company }: HourlyRates): string {
  const own = staff !== null && decimal(staff).gt('0') ? staff : null;
  return own ?? job ?? company ?? '0';
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
