import { randomUUID } from 'node:crypto';
import { publicTokenOf } from '../../platform/auth/public-links.sql.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { publishChange } from '../../platform/live/live.ts';
import { recordEvent } from '../history/history.sql.ts';
import { insertLines, type QuotedLine } from './job-lines.sql.ts';
import { insertJob, keysOf, lockJobNumbers, readCustomerAddress } from './save-job.sql.ts';

/** What a job takes from the quote that was accepted. */
export interface AcceptedWork {
  readonly quote_id: string;
  readonly quote_number: string;
  readonly title: string;
  readonly description: string | null;
  /** Who made the quote. */
  readonly user_id: string | null;
  readonly customer_id: string | null;
  /** Percent. */
  readonly tax_rate: string;
  /** Includes the tax. */
  readonly total_amount: string;
  /** Asked for now; null for none. */
  readonly deposit_amount: string | null;
  readonly lines: readonly QuotedLine[];
  /** Who accepted it. */
  readonly accepted_by: string;
}

/**
 * A job for follow-up, without a date and assigned to nobody. The caller holds the locks of the customer and the quote, and every supplier
 * item of the lines: a job is made in the same order everywhere.
 */
export async function createQuotedJob(scope: TenantScope, work: AcceptedWork): Promise<{ id: string; job_number: string }> {
  const { quote_id, quote_number, title, user_id, customer_id, tax_rate, total_amount, deposit_amount } = work;
  const takeNumber = await lockJobNumbers(scope);
  const id = randomUUID();
  const job_number = await takeNumber();
  // A job needs one to be saved again.
  const description = work.description || title;
  await insertJob(scope, {
    id,
    job_number,
    title,
    description,
    status: 'pending',
    job_type: 'fixed',
    fixed_amount: total_amount,
    hourly_rate: '0',
    address: customer_id === null ? null : await readCustomerAddress(scope, customer_id),
    user_id,
    customer_id,
    quote_id,
    quote_number,
    tax_rate,
    deposit_amount,
    ...keysOf({ title, description }, job_number),
  });
  await insertLines(scope, id, work.lines);
  // The customer pays it on the page of the job's invoice, which shows the job as it is until one is sent.
  if (deposit_amount !== null) await publicTokenOf(scope, { kind: 'invoice', id });
  await recordEvent(scope, 'job', id, 'created', { status: [null, 'pending'], quote: [null, quote_number] }, work.accepted_by);
  await publishChange(scope, 'jobs');
  return { id, job_number };
}
