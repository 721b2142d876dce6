import { type ParsedQuantity, parseWholeQuantity } from '../jobs/quantity.ts';
import { divideAndRound, toDecimal, toFixedString } from '../money/decimal.ts';

/** A period of work on a job, as instants in whole seconds. Without an end, the timer is still running. */
export interface WorkedTime {
  started_at: string;
  ended_at: string | null;
}

const SECONDS_PER_HOUR = '3600';

/** Returns the price of worked time at an hourly rate, rounded once, half up, to cents. */
export function calculateTimeCost(seconds: number, hourlyRate: string): string {
  return toFixedString(divideAndRound(toDecimal(String(seconds)).times(toDecimal(hourlyRate)), toDecimal(SECONDS_PER_HOUR), 2), 2);
}

export interface HourlyRates {
  /** The assigned person's hourly rate; 0 means not set. */
  staff: string | null;
  job: string | null;
  company: string | null;
  /** Whether someone confirmed that the job's rate applies instead of the person's. */
  isJobRateConfirmed: boolean;
}

/** Returns the job's rate if it was confirmed, else the assigned person's, else the job's, else the company's default, else 0. */
export const getEffectiveHourlyRate = ({ company, ...rates }: HourlyRates): string => getRateWithoutDefault(rates) ?? company ?? '0';

/** Returns the rate that applies before the company's default, or null. A job keeps it when the assigned person is removed. */
export function getRateWithoutDefault({ staff, job, isJobRateConfirmed }: Omit<HourlyRates, 'company'>): string | null {
  if (isJobRateConfirmed && job !== null) return job;
  return isPersonalRate(staff) ? staff : job;
}

export const hasHourlyRate = (rate: string) => toDecimal(rate).gt('0');

interface RatedJob {
  readonly hourly_rate?: string | null | undefined;
  readonly hourly_rate_confirmed?: boolean | undefined;
  /** `hourly_rate` is the effective rate. */
  readonly timer: { readonly hourly_rate: string };
}

/** Returns true if the job's time has a price: a rate above 0, or a rate of 0 that someone confirmed for this job. */
export function hasTimePrice({ hourly_rate, hourly_rate_confirmed, timer }: RatedJob): boolean {
  return hasHourlyRate(timer.hourly_rate) || (hourly_rate_confirmed === true && typeof hourly_rate === 'string');
}

/** Returns the assigned person's rate if it differs from the job's rate, so that someone must choose which of the two applies. */
export function findConflictingRate({ staff, job }: Pick<HourlyRates, 'staff' | 'job'>): string | null {
  return isPersonalRate(staff) && job !== null && !toDecimal(job).eq(toDecimal(staff)) ? staff : null;
}

const isPersonalRate = (rate: string | null): rate is string => rate !== null && toDecimal(rate).gt('0');

/** Divides a total by the quantity, rounded half up to cents. */
export function calculateUnitPrice(total: string, quantity: number): string {
  return toFixedString(divideAndRound(toDecimal(total), toDecimal(String(quantity)), 2), 2);
}

/** Parses a typed quantity. Rejects fractions above 1, such as '1.5'. Any input that isn't a number above 1 counts as 1. */
export function parseAllocationQuantity(typed: string): ParsedQuantity {
  const text = typed.trim();
  return /^\d+(\.\d+)?$/.test(text) && Number(text) > 1 ? parseWholeQuantity(text) : { quantity: 1 };
}
