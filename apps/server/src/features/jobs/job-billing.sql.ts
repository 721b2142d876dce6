import { and, isNull } from 'drizzle-orm';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { jobs } from './jobs.table.ts';

/** Of the job's open invoice; null when there is none any more. */
export async function setBilledAmount(scope: TenantScope, id: string, amount: string | null): Promise<void> {
  await scope.db
    .update(jobs)
    .set({ billed_amount: amount })
    .where(inCompany(scope, jobs, id));
}

/** A new rate of the company changes what its other jobs cost, but not this one; a rate that it kept before stays. */
export async function keepTaxRate(scope: TenantScope, id: string, rate: string): Promise<void> {
  await scope.db
    .update(jobs)
    .set({ tax_rate: rate })
    .where(and(inCompany(scope, jobs, id), isNull(jobs.tax_rate)));
}

/** From now on the company's own rate applies again. What a customer has accepted with a quote stays, also when the quote was deleted. */
export async function releaseTaxRate(scope: TenantScope, id: string): Promise<void> {
  await scope.db
    .update(jobs)
    .set({ tax_rate: null })
    .where(and(inCompany(scope, jobs, id), isNull(jobs.quote_number)));
}
