import { type ReadQuantity, readWholeQuantity } from '../jobs/quantity.ts';
import { decimal, fixedText, quotient } from '../money/decimal.ts';

/** Time somebody worked on a job, in instants of whole seconds; without an end it is still running. */
export interface WorkedTime {
  started_at: string;
  ended_at: string | null;
}

const HOUR_SECONDS = '3600';

/** Time at an hourly rate, rounded once to cents, half up. */
export function timeCost(seconds: number, hourlyRate: string): string {
  return fixedText(quotient(decimal(String(seconds)).times(decimal(hourlyRate)), decimal(HOUR_SECONDS), 2), 2);
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

/** What one of `quantity` costs when all of them cost `total`: to cents, half up. */
export function unitPriceOf(total: string, quantity: number): string {
  return fixedText(quotient(decimal(total), decimal(String(quantity)), 2), 2);
}

/** A typed quantity of the line: a whole number from 1. More than 1 that is no whole number is refused, anything else counts as 1. */
export function allocatedQuantity(typed: string): ReadQuantity {
  const text = typed.trim();
  return /^\d+(\.\d+)?$/.test(text) && Number(text) > 1 ? readWholeQuantity(text) : { quantity: 1 };
}
