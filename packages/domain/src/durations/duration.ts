import { toDecimal, toPlainString } from '../money/decimal.ts';
import { MINUTE_MS } from '../time/time-units.ts';
import { toEpochMs } from '../time/wall-time.ts';

/** Durations are stored in hours, as decimal strings. A day is 24 hours, not a working day. */
const HOURS_PER_DAY = '24';

export const MIN_DURATION_HOURS = '0.5';
export const DURATION_STEP_HOURS = '0.5';

const HOURS_PATTERN = /^\d{1,4}(\.\d{1,2})?$/;

/** Accepts half an hour or more in quarter-hour steps: forms offer half hours, but the calendar resizes in quarter hours. */
export function isValidDurationHours(hours: string): boolean {
  return HOURS_PATTERN.test(hours) && toDecimal(hours).gte(MIN_DURATION_HOURS) && toDecimal(hours).mod('0.25').eq('0');
}

export const DURATION_UNITS = ['hours', 'days'] as const;
export type DurationUnit = (typeof DURATION_UNITS)[number];

export interface Duration {
  value: string;
  unit: DurationUnit;
}

/** Converts without rounding: 1.5 days becomes '36'. */
export function toHours({ value, unit }: Duration): string {
  const amount = toDecimal(value);
  return toPlainString(unit === 'days' ? amount.times(HOURS_PER_DAY) : amount);
}

/** Splits stored hours into a value and a unit without rounding: days if the hours are a multiple of 24, otherwise hours. */
export function toDisplayDuration(hours: string): Duration {
  const stored = toDecimal(hours);
  const wholeDays = stored.gte(HOURS_PER_DAY) && stored.mod(HOURS_PER_DAY).eq('0');
  return wholeDays ? { value: toPlainString(stored.div(HOURS_PER_DAY)), unit: 'days' } : { value: toPlainString(stored), unit: 'hours' };
}

const UNIT_NOUNS: Record<DurationUnit, { one: string; many: string }> = {
  hours: { one: 'hour', many: 'hours' },
  days: { one: 'day', many: 'days' },
};

/** Formats stored hours without rounding: '1 hour', '1.5 hours', '2 days'. */
export function formatDuration(hours: string): string {
  const { value, unit } = toDisplayDuration(hours);
  return `${value} ${value === '1' ? UNIT_NOUNS[unit].one : UNIT_NOUNS[unit].many}`;
}

const QUARTER_HOUR_MINUTES = 15;
const QUARTER_HOUR_MS = QUARTER_HOUR_MINUTES * MINUTE_MS;

/** Rounds half up: 09:07:30 becomes 09:15. Rounding in UTC is correct in every zone, because offsets are whole quarter hours. */
export function roundToQuarterHour(instant: string): string {
  return new Date(Math.round(toEpochMs(instant) / QUARTER_HOUR_MS) * QUARTER_HOUR_MS).toISOString();
}

/** Rounds to the nearest 0.25 hours, half up, but never below the minimum duration: 113 minutes becomes '2'. */
export function roundMinutesToHours(minutes: number): string {
  const quarters = Math.round(minutes / QUARTER_HOUR_MINUTES);
  const hours = toDecimal(String(quarters)).times('0.25');
  return toPlainString(hours.lt(MIN_DURATION_HOURS) ? toDecimal(MIN_DURATION_HOURS) : hours);
}
