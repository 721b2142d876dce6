import { randomUUID } from 'node:crypto';
import { paidPriceError } from '@callout/contract/job-lines';
import { getJobStatusAfterPayment, isLoweredToPaidAmount } from '@callout/domain/invoices/invoice';
import { isStorableAmount, MAX_AMOUNT_TEXT } from '@callout/domain/money/amount';
import { toDecimal } from '@callout/domain/money/decimal';
import { subtractMoney, sumMoney } from '@callout/domain/money/money';
import { hasCapability } from '@callout/domain/roles/roles';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { createInvalidInputFailure, requireCapability, toFailure } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { readTimezone } from '../company/company.sql.ts';
import { recordEvent } from '../history/history.sql.ts';
import { freezeTaxRate, unfreezeTaxRate } from './job-billing.sql.ts';
import { insertPayment, type NewPayment, type PaidJob } from './job-payments.sql.ts';
import { jobRecordType, lockJob, repriceJob, type StoredJob, setJobStatus } from './jobs.sql.ts';

type PayableJob = Pick<StoredJob, 'billed_amount' | 'totals' | 'paid_amount'>;

/** Returns the total of the open invoice, or of the job if no invoice is open. Excludes the fee for online payments. */
export const getChargedAmount = ({ billed_amount, totals }: PayableJob): string => billed_amount ?? totals.total_amount;

/** Returns the amount that is still unpaid, which is negative if the job is overpaid. */
export const calculateOutstandingAmount = (job: PayableJob): string => subtractMoney(getChargedAmount(job), job.paid_amount);

/** Returns true for people who may manage payments, and for the server itself. */
export const mayManagePayments = ({ actor }: Pick<TenantScope, 'actor'>): boolean =>
  actor.kind === 'person' ? hasCapability(actor.member?.role, 'payments.manage') : actor.kind === 'system';

/** Throws if someone who may not manage payments lowers a job's price to what has been paid or less, because that settles the job. */
export function requirePriceAbovePayments(scope: TenantScope, before: StoredJob, after: StoredJob): void {
  const change = { before: before.totals.total_amount, after: after.totals.total_amount, paid: after.paid_amount };
  if (isLoweredToPaidAmount(change) && !mayManagePayments(scope)) throw toFailure(paidPriceError);
}

/**
 * Marks a finished job as paid if its payments cover the amount due, or as unpaid if they no longer do. A job that becomes paid keeps its
 * GST rate; one that is neither paid, invoiced nor quoted follows the company's again. Call this after every change to a job's payments,
 * invoice, lines, price or status, with the updated `job` and while holding its lock.
 */
export async function settleJob(scope: TenantScope, job: StoredJob): Promise<StoredJob> {
  const settled = await updatePaidStatus(scope, job);
  if (settled.status === 'paid') {
    if (job.status !== 'paid') await freezeTaxRate(scope, job.id, job.tax_rate);
    return settled;
  }
  const isReleased = settled.billed_amount === null && (await unfreezeTaxRate(scope, job.id));
  return isReleased ? repriceAndSettle(scope, job.id) : settled;
}

async function updatePaidStatus(scope: TenantScope, job: StoredJob): Promise<StoredJob> {
  const { id, status: from, paid_amount, billed_amount } = job;
  const status = getJobStatusAfterPayment({
    status: from,
    due: getChargedAmount(job),
    paid: paid_amount,
    isInvoiced: billed_amount !== null,
  });
  if (status === from) return job;
  await setJobStatus(scope, id, { status, from });
  await recordEvent(scope, 'job', id, 'edited', { status: [from, status] });
  await publishChange(scope, 'jobs', 'invoices');
  return readRecord(scope, jobRecordType, id);
}

/**
 * Locks the job and reprices it, so that no command uses a tax rate or currency that the company has changed since. Use this instead of
 * `lockJob` before changing what a job costs or what is paid for it.
 */
export async function lockPricedJob(scope: TenantScope, id: string): Promise<StoredJob> {
  await lockJob(scope, id);
  return repriceAndSettle(scope, id);
}

/** Reprices a locked job and updates its status. A job that only a new rate makes paid doesn't keep that rate, which may be a typo. */
export async function repriceAndSettle(scope: TenantScope, id: string): Promise<StoredJob> {
  return updatePaidStatus(scope, await repriceJob(scope, id));
}

/**
 * Records a bank transfer of the outstanding amount, dated today, when someone marks the job as paid, and freezes its GST rate. The caller
 * must hold the job's lock, and call `settleJob` afterwards.
 */
export async function recordOutstandingPayment(scope: TenantScope, job: StoredJob): Promise<StoredJob> {
  if (scope.actor.kind === 'person') requireCapability(scope.actor.member?.role, 'payments.manage');
  await freezeTaxRate(scope, job.id, job.tax_rate);
  const amount = calculateOutstandingAmount(job);
  if (toDecimal(amount).lte('0')) return job;
  if (!isStorableAmount(sumMoney([job.paid_amount, amount]))) {
    throw createInvalidInputFailure({ status: `Payments for a job can total at most ${MAX_AMOUNT_TEXT}` });
  }
  const paid_on = toLocalDate(scope.now, await readTimezone(scope));
  await insertPaymentWithHistory(scope, job, { id: randomUUID(), amount, paid_on, method: 'bank_transfer', note: null });
  return readRecord(scope, jobRecordType, job.id);
}

/** Inserts the payment and a history entry. Returns false if the id is taken. The caller must then call `settleJob`. */
export async function insertPaymentWithHistory(scope: TenantScope, job: PaidJob, payment: NewPayment): Promise<boolean> {
  const { amount, fee = '0.00', paid_on, method } = payment;
  if (!(await insertPayment(scope, job, payment))) return false;
  await recordEvent(scope, 'job', job.id, 'payment_recorded', {
    amount: [null, amount],
    ...(fee !== '0.00' && { fee: [null, fee] }),
    paid_on: [null, paid_on],
    method: [null, method],
  });
  await publishChange(scope, 'jobs', 'invoices');
  return true;
}
