import { randomUUID } from 'node:crypto';
import type { PaymentMethod } from '@callout/domain/invoices/invoice';
import { calculateDeposit } from '@callout/domain/invoices/payment-request';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import { creditInvoice } from '../features/invoices/credit-invoice.ts';
import { findOpenInvoice } from '../features/invoices/invoices.sql.ts';
import { issueOrReuseInvoice, markInvoiceSent } from '../features/invoices/issue-invoice.ts';
import { jobRecordType } from '../features/jobs/jobs.sql.ts';
import { calculateOutstandingAmount, insertPaymentWithHistory, lockPricedJob, settleJob } from '../features/jobs/settle-job.ts';
import { markLinkOpened } from '../platform/auth/public-links.sql.ts';
import { readRecord } from '../platform/db/records.ts';
import type { TenantScope } from '../platform/db/tenant-scope.ts';
import { addDeliveredInvoiceMail } from './demo.sql.ts';
import { addJobLine } from './demo-jobs.ts';
import { addHours } from './demo-plan.ts';

/** A finished job that the demo invoices. */
export interface BillableJob {
  readonly jobId: string;
  readonly completedAt: string;
  readonly isPaid: boolean;
}

/** The deposit for an accepted quote's job. */
export interface DemoDeposit {
  readonly jobId: string;
  readonly acceptedAt: string;
}

export interface BillingEvent {
  readonly occursAt: string;
  readonly run: (scope: TenantScope) => Promise<void>;
}

interface BillingPlan {
  readonly zone: string;
  readonly now: string;
  /** Id of the item that some invoices are missing at first, so that they have to be corrected. */
  readonly missingItemId: string;
  readonly bills: readonly BillableJob[];
  readonly deposits: readonly DemoDeposit[];
}

const DAY_HOURS = 24;

const PAYMENT_METHODS = ['bank_transfer', 'bank_transfer', 'card', 'bank_transfer', 'paypal', 'bank_transfer', 'cash'] as const;

/** Builds a year of billing events, sorted by time because invoice numbers are assigned in order. Some are late, partial or canceled. */
export function buildBillingEvents({ zone, now, missingItemId, bills, deposits }: BillingPlan): BillingEvent[] {
  const billEvents = bills.flatMap(({ jobId, completedAt, isPaid }, index): BillingEvent[] => {
    const sentAt = addHours(completedAt, 5 + (index % 4) * 9);
    const isCorrected = index % 17 === 3;
    const isCanceled = index % 31 === 9;
    const paidAt = addHours(sentAt, (2 + ((index * 5) % 9) + (index % 11 === 4 ? 10 : 0)) * DAY_HOURS);
    const method = PAYMENT_METHODS[index % PAYMENT_METHODS.length] ?? 'bank_transfer';
    const buildPayment = (occursAt: string, share: PaymentShare) => ({
      occursAt,
      run: (scope: TenantScope) => recordShare(scope, { jobId, zone, method, share }),
    });
    const buildSending = (occursAt: string) => ({ occursAt, run: (scope: TenantScope) => sendInvoice(scope, jobId) });
    const isPaidInParts = index % 7 === 2;
    return [
      buildSending(sentAt),
      ...(isCorrected ? [{ occursAt: addHours(sentAt, 3), run: (scope: TenantScope) => correctInvoice(scope, jobId, missingItemId) }] : []),
      ...(isCanceled
        ? [{ occursAt: addHours(sentAt, 20), run: (scope: TenantScope) => cancelInvoice(scope, jobId) }, buildSending(addHours(sentAt, 21))]
        : []),
      ...(index % 6 === 5 ? [] : [{ occursAt: addHours(sentAt, 23), run: (scope: TenantScope) => openInvoice(scope, jobId) }]),
      ...(isPaidInParts ? [buildPayment(addHours(sentAt, 1.5 * DAY_HOURS), 'half')] : []),
      ...(isPaid ? [buildPayment(paidAt, 'rest')] : []),
    ];
  });
  const depositEvents = deposits.map(({ jobId, acceptedAt }) => ({
    occursAt: addHours(acceptedAt, 3 * DAY_HOURS),
    run: (scope: TenantScope) => recordShare(scope, { jobId, zone, method: 'bank_transfer', share: 'deposit' }),
  }));
  const events = [...billEvents, ...depositEvents].filter(({ occursAt }) => occursAt <= now);
  return events.toSorted((a, b) => a.occursAt.localeCompare(b.occursAt));
}

async function sendInvoice(scope: TenantScope, jobId: string): Promise<void> {
  const { invoice, job } = await issueOrReuseInvoice(scope, jobId, {});
  await markInvoiceSent(scope, invoice);
  const recipient = job.customer?.email;
  if (recipient) await addDeliveredInvoiceMail(scope, invoice.id, { recipient, subject: `Invoice #${job.job_number}: ${job.title}` });
}

/** Adds the missing item to the job and sends a corrected invoice, which replaces the first one. */
async function correctInvoice(scope: TenantScope, jobId: string, itemId: string): Promise<void> {
  await addJobLine(scope, jobId, itemId, 1);
  await sendInvoice(scope, jobId);
}

async function cancelInvoice(scope: TenantScope, jobId: string): Promise<void> {
  const invoice = await findOpenInvoice(scope, jobId);
  if (invoice) await creditInvoice(scope, { id: invoice.id, credit_id: randomUUID(), reason: 'Wrong address on the invoice' });
}

const openInvoice = async (scope: TenantScope, jobId: string) => void (await markLinkOpened(scope, { kind: 'invoice', id: jobId }));

type PaymentShare = 'deposit' | 'half' | 'rest';

async function recordShare(
  scope: TenantScope,
  { jobId, zone, method, share }: { jobId: string; zone: string; method: PaymentMethod; share: PaymentShare },
): Promise<void> {
  await lockPricedJob(scope, jobId);
  const job = await readRecord(scope, jobRecordType, jobId);
  const outstanding = calculateOutstandingAmount(job);
  const half = calculateDeposit({ deposit_percentage: '50', deposit_amount: null }, outstanding);
  const amount = { deposit: job.deposit_amount, half, rest: outstanding }[share];
  if (amount === null) return;
  const paid_on = toLocalDate(scope.now, zone);
  await insertPaymentWithHistory(scope, job, {
    id: randomUUID(),
    amount,
    paid_on,
    method,
    note: share === 'deposit' ? 'Deposit' : null,
  });
  await settleJob(scope, await readRecord(scope, jobRecordType, jobId));
}
