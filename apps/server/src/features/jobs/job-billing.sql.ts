import { and, isNull } from 'drizzle-orm';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { jobs } from './jobs.table.ts';

/** `amount` is the total of the job's open invoice; null if the job no longer has one. */
export async function setBilledAmount(scope: TenantScope, id: string, amount: string | null): Promise<void> {
  await scope.db
    .update(jobs)
    .set({ billed_amount: amount })
    .where(inCompany(scope, jobs, id));
}

/** Stores the tax rate with the job, so later changes to the company's rate don't affect it. Never replaces a stored rate. */
export async function freezeTaxRate(scope: TenantScope, id: string, rate: string): Promise<void> {
  await scope.db
    .update(jobs)
    .set({ tax_rate: rate })
    .where(and(inCompany(scope, jobs, id), isNull(jobs.tax_rate)));
}

/** Makes the job use the company's current rate again, unless it was created from a quote, because the customer accepted that price. */
export async function unfreezeTaxRate(scope: TenantScope, id: string): Promise<void> {
  await scope.db
    .update(jobs)
    .set({ tax_rate: null })
    .where(and(inCompany(scope, jobs, id), isNull(jobs.quote_number)));
}
