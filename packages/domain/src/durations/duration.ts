import { decimal, plainText } from '../money/decimal.ts';
import { MINUTE_MS } from '../time/time-units.ts';
import { milliseconds } from '../time/wall-time.ts';

/** Durations are stored in hours, as exact decimal text. A day is 24 hours, not a working day. */
const HOURS_PER_DAY = '24';

export const MIN_DURATION_HOURS = '0.5';
export const DURATION_STEP = '0.5';

const HOURS = /^\d{1,4}(\.\d{1,2})?$/;

/** Half an hour or more, in quarters: a form offers halves, and the calendar resizes by quarters. */
export function isDurationHours(hours: string): boolean {
  return HOURS.test(hours) && decimal(hours).gte(MIN_DURATION_HOURS) && decimal(hours).mod('0.25').eq('0');
}

export const DURATION_UNITS = ['hours', 'days'] as const;
export type DurationUnit = (typeof DURATION_UNITS)[number];

export interface Duration {
  value: string;
  unit: DurationUnit;
}

/** To hours, exactly: 1.5 days are 36. */
export function durationInHours({ value, unit }: Duration): string {
  const amount = decimal(value);
  return plainText(unit === 'days' ? amount.times(HOURS_PER_DAY) : amount);
}

/** As a form shows stored hours, unrounded: whole days from 24 hours on when they divide evenly, else hours. */
export function shownDuration(hours: string): Duration {
  const stored = decimal(hours);
  const wholeDays = stored.gte(HOURS_PER_DAY) && stored.mod(HOURS_PER_DAY).eq('0');
  return wholeDays ? { value: plainText(stored.div(HOURS_PER_DAY)), unit: 'days' } : { value: plainText(stored), unit: 'hours' };
}

const NOUNS: Record<DurationUnit, { one: string; many: string }> = {
  hours: { one: 'hour', many: 'hours' },
  days: { one: 'day', many: 'days' },
};

/** Stored hours as text, unrounded: '1 hour', '1.5 hours', '2 days'. */
export function durationText(hours: string): string {
  const { value, unit } = shownDuration(hours);
  return `${value} ${value === '1' ? NOUNS[unit].one : NOUNS[unit].many}`;
}

const QUARTER_MINUTES = 15;
const QUARTER_MS = QUARTER_MINUTES * MINUTE_MS;

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
