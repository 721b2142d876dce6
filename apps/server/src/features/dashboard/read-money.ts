import type { ContractOutputs } from '@callout/contract/contract';
import { jobTotals } from '@callout/domain/jobs/job-price';
import { sumMoney } from '@callout/domain/money/money';
import { taxRate } from '@callout/domain/tax/tax';
import { localDate } from '@callout/domain/time/zoned-time';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { readSummary } from '../invoices/invoice-list.sql.ts';
import { readUninvoicedWork, type UninvoicedJob } from './dashboard.sql.ts';

/** What customers owe, as the list of invoices sums it, and what complete jobs without an open invoice would be billed. */
export async function readMoney(scope: TenantScope): Promise<ContractOutputs['dashboard']['money']> {
  const { currency, timezone, gst_percentage, jobs } = await readUninvoicedWork(scope);
  const { outstanding, ages, filters } = await readSummary(scope, {}, localDate(scope.now, timezone));
  const late = ages.filter(({ age }) => age !== 'current');
  const companyRate = taxRate(gst_percentage);
  return {
    currency,
    outstanding: { amount: outstanding.amount, invoices: outstanding.count },
    overdue: { amount: sumMoney(late.map(({ amount }) => amount)), invoices: filters.overdue },
    uninvoiced: { amount: sumMoney(jobs.map((job) => priceOf(job, companyRate))), jobs: jobs.length },
  };
}

/** The job's own total: the sum of its lines of each kind is taxed and rounded as the lines themselves would be. */
function priceOf({ job_type, fixed_amount, tax_rate, inclusive, exclusive }: UninvoicedJob, companyRate: string): string {
  const sums = [
    { name: '', total: inclusive, tax_inclusive: true },
    { name: '', total: exclusive, tax_inclusive: false },
  ];
  const lines = sums.flatMap(({ total, ...line }) => (total === null ? [] : [{ ...line, total }]));
  return jobTotals({ title: '', job_type, fixed_amount }, lines, tax_rate ?? companyRate).total_amount;
}
