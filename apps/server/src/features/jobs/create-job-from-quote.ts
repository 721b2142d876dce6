import { randomUUID } from 'node:crypto';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { publishChange } from '../../platform/live/live.ts';
import { recordEvent } from '../history/history.sql.ts';
import type { CopiedJobLine } from './job-lines.sql.ts';
import { findCustomerAddress, insertJob } from './save-job.sql.ts';

export interface AcceptedQuote {
  readonly quote_id: string;
  readonly quote_number: string;
  readonly title: string;
  readonly description: string | null;
  /** User id of the quote's author. */
  readonly user_id: string | null;
  readonly customer_id: string | null;
  /** In percent. */
  readonly tax_rate: string;
  readonly currency: string | null;
  /** Total including tax. */
  readonly total_amount: string;
  /** Deposit that the customer must pay on acceptance; null if the quote asks for none. */
  readonly deposit_amount: string | null;
  readonly lines: readonly CopiedJobLine[];
  readonly accepted_by: string;
}

/** Creates a pending, unscheduled, unassigned job. The caller must have locked the customer, the quote and the lines' supplier items. */
export async function createJobFromQuote(scope: TenantScope, quote: AcceptedQuote): Promise<{ id: string; job_number: string }> {
  const { quote_id, quote_number, title, user_id, customer_id, tax_rate, currency, total_amount, deposit_amount } = quote;
  const id = randomUUID();
  // The job form requires a description, so fall back to the title.
  const description = quote.description || title;
  const job = {
    id,
    title,
    description,
    status: 'pending' as const,
    job_type: 'fixed' as const,
    fixed_amount: total_amount,
    hourly_rate: '0',
    address: customer_id === null ? null : await findCustomerAddress(scope, customer_id),
    user_id,
    customer_id,
    quote_id,
    quote_number,
    tax_rate,
    currency,
    deposit_amount,
  };
  const job_number = await insertJob(scope, job, quote.lines);
  await recordEvent(scope, 'job', id, 'created', { status: [null, 'pending'], quote: [null, quote_number] }, quote.accepted_by);
  await publishChange(scope, 'jobs');
  return { id, job_number };
}
