import { randomUUID } from 'node:crypto';
import { statusByPayments } from '@callout/domain/invoices/invoice';
import { isStorableAmount, MAX_AMOUNT_TEXT } from '@callout/domain/money/amount';
import { decimal } from '@callout/domain/money/decimal';
import { subtractMoney, sumMoney } from '@callout/domain/money/money';
import { localDate } from '@callout/domain/time/zoned-time';
import { lockCompany } from '../../platform/db/company-lock.sql.ts';
import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { invalidInput, requireCapability } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { readTimezone } from '../company/company.sql.ts';
import { recordEvent } from '../history/history.sql.ts';
import { insertPayment } from '../payments/payments.sql.ts';
import { keepTaxRate } from './job-billing.sql.ts';
import { jobRecord, type StoredJob, setStatus } from './jobs.sql.ts';

type OwedJob = Pick<StoredJob, 'billed_amount' | 'totals' | 'paid_amount'>;

/** What a job costs: as it was billed, or as it is while no invoice was sent. Without the fee of an online payment. */
export const dueAmount = ({ billed_amount, totals }: OwedJob): string => billed_amount ?? totals.total_amount;

/** Negative when more was paid. */
export const outstandingAmount = (job: OwedJob): string => subtractMoney(dueAmount(job), job.paid_amount);

/**
 * Call it whenever payments, the invoice, lines, price or status of a job have changed, under the job's lock: a finished job is paid when
 * its payments cover what is due, and no longer when they don't. A job that was paid keeps its GST rate. `job` is how it was read after
 * the change; returns it as it is then.
 */
export async function settleJob(scope: TenantScope, job: StoredJob): Promise<StoredJob> {
  const { id, status: from, paid_amount, billed_amount } = job;
  const status = statusByPayments({ status: from, due: dueAmount(job), paid: paid_amount, isInvoiced: billed_amount !== null });
  if (status === 'paid') await keepTaxRate(scope, id, job.tax_rate);
  if (status === from) return job;
  await setStatus(scope, id, { status, from });
  await recordEvent(scope, 'job', id, 'edited', { status: [from, status] });
  await publishChange(scope, 'jobs', 'invoices');
  return readRecord(scope, jobRecord, id);
}

/** Before any other lock: a payment refers to its recorder's login, which is changed under this one. */
export async function lockForPayment(scope: TenantScope): Promise<void> {
  await lockCompany(scope, scope.companyId);
}

/** A person marks a job as paid: a bank transfer of what is outstanding, today. Needs `lockForPayment` and the job's lock. */
export async function payJob(scope: TenantScope, job: StoredJob): Promise<StoredJob> {
  if (scope.actor.kind === 'person') requireCapability(scope.actor.member?.role, 'payments.manage');
  const amount = outstandingAmount(job);
  if (decimal(amount).lte('0')) return job;
  if (!isStorableAmount(sumMoney([job.paid_amount, amount]))) {
    throw invalidInput({ status: `A job can be paid up to a total of ${MAX_AMOUNT_TEXT}` });
  }
  const paid_on = localDate(scope.now, await readTimezone(scope));
  await recordPayment(scope, { id: randomUUID(), job_id: job.id, amount, paid_on, method: 'bank_transfer', note: null });
  return readRecord(scope, jobRecord, job.id);
}

/** Tells the history and the browsers; the caller settles the job. False when the id is taken. */
export async function recordPayment(scope: TenantScope, payment: Parameters<typeof insertPayment>[1]): Promise<boolean> {
  const { job_id, amount, paid_on, method } = payment;
  if (!(await insertPayment(scope, payment))) return false;
  await recordEvent(scope, 'job', job_id, 'payment_recorded', { amount: [null, amount], paid_on: [null, paid_on], method: [null, method] });
  await publishChange(scope, 'jobs', 'invoices');
  return true;
}
