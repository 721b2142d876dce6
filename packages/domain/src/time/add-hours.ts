import { toDecimal } from '../money/decimal.ts';
import { HOUR_MS } from './time-units.ts';
import { toEpochMs } from './wall-time.ts';

/** Adds `hours`, a decimal string. In a separate file, so that pages that only format bookings don't load the calendar code. */
export function addHours(start: string, hours: string): string {
  return new Date(toEpochMs(start) + Number(toDecimal(hours).times(String(HOUR_MS)).toFixed(0))).toISOString();
}
