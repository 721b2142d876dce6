import { decimal } from '../money/decimal.ts';
import { HOUR_MS } from './time-units.ts';
import { milliseconds } from './wall-time.ts';

/** The instant so many hours later; `hours` is exact decimal text. In a file of its own: a page that only names a booking loads no calendar. */
export function hoursLater(start: string, hours: string): string {
  return new Date(milliseconds(start) + Number(decimal(hours).times(String(HOUR_MS)).toFixed(0))).toISOString();
}
