import { DEFAULT_TAX_RATE } from '@callout/domain/tax/tax';
import { and, asc, gt, isNotNull, isNull, sql } from 'drizzle-orm';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { companies } from '../company/company.table.ts';
import { jobs } from './jobs.table.ts';

/** Stores the total of the job's new invoice, or null if its invoice was canceled. */
export async function setBilledAmount(scope: TenantScope, id: string, amount: string | null): Promise<void> {
  await scope.db
    .update(jobs)
    .set({ billed_amount: amount, is_invoice_canceled: amount === null })
    .where(inCompany(scope, jobs, id));
}

/** Stores the tax rate with the job, so that changes to the company's rate no longer affect it. Never replaces a stored rate. */
export async function freezeTaxRate(scope: TenantScope, id: string, rate: string): Promise<void> {
  await scope.db
    .update(jobs)
    .set({ tax_rate: rate })
    .where(and(inCompany(scope, jobs, id), isNull(jobs.tax_rate)));
}

/**
 * Makes the job follow the company's tax rate again. Returns true if it has to be repriced. Jobs from quotes keep their rate, because the
 * customer accepted that price.
 */
export async function unfreezeTaxRate(scope: TenantScope, id: string): Promise<boolean> {
  const released = await scope.db
    .update(jobs)
    .set({ tax_rate: null })
    .where(and(inCompany(scope, jobs, id), isNotNull(jobs.tax_rate), isNull(jobs.quote_number)))
    .returning({ id: jobs.id });
  return released.length > 0;
}

/** Locks the next jobs, in id order, that follow the company's tax rate and currency but are priced with others. Returns their ids. */
export async function lockOutdatedJobs(scope: TenantScope, after: string | null, limit: number): Promise<string[]> {
  // Doesn't lock prices yet: their lock comes after those of jobs, and a change after this read queues the task again.
  const found = await selectOutdatedJobs(scope, after).limit(limit).for('no key update');
  return found.map(({ id }) => id);
}

export async function hasOutdatedJobs(scope: TenantScope): Promise<boolean> {
  return (await selectOutdatedJobs(scope, null).limit(1)).length > 0;
}

function selectOutdatedJobs(scope: TenantScope, after: string | null) {
  const company = sql`from ${companies} where ${companies.company_id} = ${jobs.company_id}`;
  const isOutdated = sql`(${jobs.priced_rate} <> (select coalesce(${companies.gst_percentage}, ${sql.raw(DEFAULT_TAX_RATE)}) ${company})
    or ${jobs.currency} is distinct from (select ${companies.currency} ${company}))`;
  return scope.db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(inCompany(scope, jobs), isNull(jobs.tax_rate), isOutdated, after === null ? undefined : gt(jobs.id, after)))
    .orderBy(asc(jobs.id));
}
