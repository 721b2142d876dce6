import { decimal, plainText } from '../money/decimal.ts';
import { milliseconds } from '../time/wall-time.ts';
import { MIN_DURATION_HOURS } from './duration.ts';

const QUARTER_MINUTES = 15;
const QUARTER_MS = QUARTER_MINUTES * 60_000;

/** An instant moved to the nearest quarter of an hour, half up: 09:07:30 becomes 09:15. Every zone of today keeps to quarters. */
export function nearestQuarterHour(instant: string): string {
  return new Date(Math.round(milliseconds(instant) / QUARTER_MS) * QUARTER_MS).toISOString();
}

/** Minutes as hours, to the nearest 0.25, half up, and no less than the shortest duration: 113 minutes are 2. */
export function resizedHours(minutes: number): string {
  const quarters = Math.round(minutes / QUARTER_MINUTES);
  const hours = decimal(String(quarters)).times('0.25');
  return plainText(hours.lt(MIN_DURATION_HOURS) ? decimal(MIN_DURATION_HOURS) : hours);
}
