import { and, asc, gt, isNull, ne, or, sql } from 'drizzle-orm';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { readPriceTerms } from '../company/company.sql.ts';
import { repriceJob } from './jobs.sql.ts';
import { jobs } from './jobs.table.ts';

/** Stores the total of the job's open invoice, or null if no invoice is open. */
export async function setBilledAmount(scope: TenantScope, id: string, amount: string | null): Promise<void> {
  await scope.db
    .update(jobs)
    .set({ billed_amount: amount })
    .where(inCompany(scope, jobs, id));
}

/** Stores the tax rate with the job, so that changes to the company's rate no longer affect it. Never replaces a stored rate. */
export async function freezeTaxRate(scope: TenantScope, id: string, rate: string): Promise<void> {
  await scope.db
    .update(jobs)
    .set({ tax_rate: rate })
    .where(and(inCompany(scope, jobs, id), isNull(jobs.tax_rate)));
}

/** Makes the job use the company's current tax rate again. Jobs from quotes keep their rate, because the customer accepted that price. */
export async function unfreezeTaxRate(scope: TenantScope, id: string): Promise<void> {
  await scope.db
    .update(jobs)
    .set({ tax_rate: null })
    .where(and(inCompany(scope, jobs, id), isNull(jobs.quote_number)));
  await repriceJob(scope, id);
}

/** Locks the next jobs, in id order, that follow the company's tax rate and currency but are priced with others. Returns their ids. */
export async function lockOutdatedJobs(scope: TenantScope, after: string | null, limit: number): Promise<string[]> {
  const { tax_rate, currency } = await readPriceTerms(scope);
  const isOutdated = or(ne(jobs.priced_rate, tax_rate), sql`${jobs.currency} is distinct from ${currency}`);
  const found = await scope.db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(inCompany(scope, jobs), isNull(jobs.tax_rate), isOutdated, after === null ? undefined : gt(jobs.id, after)))
    .orderBy(asc(jobs.id))
    .limit(limit)
    .for('update');
  return found.map(({ id }) => id);
}
