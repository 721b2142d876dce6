import { isPositiveAmount } from '../money/money.ts';
import { calculateTaxTotals, type TaxTotals } from '../tax/tax.ts';
import type { JobType } from './job.ts';

export interface PricedJob {
  readonly job_type: JobType;
  /** Including tax. */
  readonly fixed_amount: string | null;
}

export interface PricedItem {
  readonly total_price: string;
  readonly tax_inclusive: boolean;
}

/** Returns the amount that a job costs as long as it has no items; null if its price depends on items alone. */
export function getFixedPrice({ job_type, fixed_amount }: PricedJob): string | null {
  return job_type === 'fixed' && fixed_amount !== null && isPositiveAmount(fixed_amount) ? fixed_amount : null;
}

/** Calculates a job's price, which the server stores: its items or, if there are none, its fixed amount. `rate` is in percent. */
export function calculateJobTotals(job: PricedJob, items: readonly PricedItem[], rate: string): TaxTotals {
  const fixedPrice = items.length === 0 ? getFixedPrice(job) : null;
  const lines = items.map(({ total_price: total, tax_inclusive }) => ({ total, tax_inclusive }));
  return calculateTaxTotals(fixedPrice === null ? lines : [{ total: fixedPrice, tax_inclusive: true }], rate);
}
