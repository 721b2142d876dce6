import { type TaxedLine, type TaxTotals, taxTotals } from '../tax/tax.ts';
import type { JobType } from './job.ts';

export interface PricedJob {
  title: string;
  job_type: JobType;
  /** Includes the tax. */
  fixed_amount: string | null;
}

export interface PricedLine extends TaxedLine {
  name: string;
}

/** What a job is priced, paid and invoiced by: its items, or while it has none, its fixed amount as one line. */
export function jobLines<Line extends PricedLine>(job: PricedJob, items: readonly Line[]): readonly (Line | PricedLine)[] {
  if (items.length > 0 || job.job_type !== 'fixed' || job.fixed_amount === null) return items;
  return [{ name: job.title, total: job.fixed_amount, tax_inclusive: true }];
}

/** The one price of a job on every screen, page, mail and PDF; the rate is in percent. */
export function jobTotals(job: PricedJob, items: readonly PricedLine[], rate: string): TaxTotals {
  return taxTotals(jobLines(job, items), rate);
}
