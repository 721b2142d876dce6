import { calculateJobTotals } from '@callout/domain/jobs/job-price';
import { calculateQuoteTotals, calculateSectionTotals } from '@callout/domain/quotes/quote-price';
import { calculateTaxTotals, type TaxTotals } from '@callout/domain/tax/tax';
import type pg from 'pg';
import type { Logger } from 'pino';
import { runTenantSnapshot, type TenantScope } from '../../platform/db/tenant-scope.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { defineTask, mintTaskTenant } from '../../platform/queue/task.ts';
import { findInvoice } from '../invoices/invoices.sql.ts';
import { hasOutdatedJobs } from '../jobs/job-billing.sql.ts';
import { findJob } from '../jobs/jobs.sql.ts';
import { queueRepricing } from '../jobs/reprice-jobs.ts';
import { findQuote } from '../quotes/quotes.sql.ts';
import { listWrongSums, readBillingSums, type SampledKind, sampleCompanies, sampleRecordIds } from './stored-totals.sql.ts';

const TASK_NAME = 'check-totals';
const MAX_COMPANIES = 50;
/** Records of each kind that a run checks, across all companies. */
const SAMPLE_SIZE = 200;
const MAX_REPORTED = 20;

interface Checker extends Pick<Platform, 'pools' | 'now'> {
  readonly log: Logger;
  /** Reads across companies. */
  readonly pool: pg.Pool;
  readonly signal: AbortSignal;
}

/** Fails on purpose, so that the administrator finds the differences among the queue's errors. Other checks don't replace it. */
export const reportWrongTotalsTask = defineTask<{ readonly differences: readonly string[] }>('report-wrong-totals');

export const reportWrongTotals = ({ differences }: { readonly differences: readonly string[] }): Promise<void> =>
  Promise.reject(new Error(differences.join(', ')));

/**
 * Recalculates the stored totals of some jobs, quotes and invoices of a different sample of companies each day, and compares their sums by
 * day and counts with the records. Logs the ids and days that differ, and reports them to the administrator. It names no amounts or
 * customers, because those belong to the companies. Jobs that a change of the tax rate or currency has missed are repriced.
 */
export async function checkStoredTotals({ pools, pool, now, log, signal }: Checker): Promise<void> {
  const time = now().toISOString();
  const seed = time.slice(0, 10);
  const companies = await sampleCompanies(pool, seed, MAX_COMPANIES);
  const perCompany = Math.ceil(SAMPLE_SIZE / Math.max(1, companies.length) / 2);
  const differences: string[] = [];
  const outdated: string[] = [];
  for (const companyId of companies) {
    signal.throwIfAborted();
    await runTenantSnapshot(pools.app, mintTaskTenant(TASK_NAME, companyId, time), async (scope) => {
      for (const [kind, hasStoredTotals] of Object.entries(CHECKS)) {
        for (const id of await sampleRecordIds(scope, kind as SampledKind, seed, perCompany))
          if (!(await hasStoredTotals(scope, id))) differences.push(`${kind} ${id} of company ${companyId}`);
      }
      differences.push(...(await listWrongSums(scope)).map((sum) => `${sum} of company ${companyId}`));
      if (await hasOutdatedJobs(scope)) outdated.push(companyId);
    });
  }
  for (const companyId of outdated) {
    differences.push(`prices at an earlier tax rate or currency of company ${companyId}`);
    await queueRepricing(pool, companyId);
  }
  if (differences.length === 0) return;
  log.error({ part: 'totals', differences }, 'Stored totals differ from what they were calculated from');
  await reportWrongTotalsTask.queue(pool, { differences: differences.slice(0, MAX_REPORTED) }, `report-wrong-totals ${seed}`);
}

/** Each function returns true if the record's stored totals are right, or if the record has since been deleted. */
const CHECKS: Record<SampledKind, (scope: TenantScope, id: string) => Promise<boolean>> = {
  async job(scope, id) {
    const job = await findJob(scope, id);
    if (!job) return true;
    const { paid, billed } = await readBillingSums(scope, id);
    return isSame(job.totals, calculateJobTotals(job, job.items, job.tax_rate)) && paid[0] === paid[1] && billed[0] === billed[1];
  },
  async quote(scope, id) {
    const quote = await findQuote(scope, id);
    if (!quote) return true;
    const { sections, tax_rate, acceptance } = quote;
    // An accepted quote keeps the totals of what was accepted, even if its sections are edited later.
    if (acceptance) return quote.total_amount === acceptance.total_amount;
    return (
      isSame(quote, calculateQuoteTotals(sections, tax_rate)) &&
      sections.every((section) => isSame(section, calculateSectionTotals(section, tax_rate)))
    );
  },
  async invoice(scope, id) {
    const invoice = await findInvoice(scope, id);
    if (!invoice) return true;
    const document = invoice.copy?.document;
    if (!document || !invoice.is_intact) return false;
    const lines = document.items.map(({ total, tax }) => ({ total: total.replaceAll(',', ''), tax_inclusive: tax === 'inc GST' }));
    return isSame(invoice, calculateTaxTotals(lines, document.tax_label.replace(/^GST |%$/g, '')));
  },
};

const isSame = (stored: TaxTotals, calculated: TaxTotals) =>
  stored.subtotal === calculated.subtotal && stored.tax_amount === calculated.tax_amount && stored.total_amount === calculated.total_amount;
