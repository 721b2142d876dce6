import { isPositiveAmount } from '../money/money.ts';
import { calculateTaxTotals, type TaxedLine, type TaxTotals } from '../tax/tax.ts';
import type { JobType } from './job.ts';

export interface PricedJob {
  title: string;
  job_type: JobType;
  /** Including tax. */
  fixed_amount: string | null;
}

export interface PricedLine extends TaxedLine {
  name: string;
}

/** Returns the amount that a job costs as long as it has no items; null if its price depends on items alone. */
export function getFixedPrice({ job_type, fixed_amount }: Omit<PricedJob, 'title'>): string | null {
  return job_type === 'fixed' && fixed_amount !== null && isPositiveAmount(fixed_amount) ? fixed_amount : null;
}

/** Returns the lines a job is priced by: its items or, if there are none, its fixed amount as a single line. */
export function getPricedLines<Line extends PricedLine>(job: PricedJob, items: readonly Line[]): readonly (Line | PricedLine)[] {
  if (items.length > 0 || job.job_type !== 'fixed' || job.fixed_amount === null) return items;
  return [{ name: job.title, total: job.fixed_amount, tax_inclusive: true }];
}

/** Calculates a job's price for every screen, public page, email and PDF. `rate` is in percent. */
export function calculateJobTotals(job: PricedJob, items: readonly PricedLine[], rate: string): TaxTotals {
  return calculateTaxTotals(getPricedLines(job, items), rate);
}
