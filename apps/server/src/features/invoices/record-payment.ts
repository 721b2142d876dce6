import { idTaken } from '@callout/contract/errors';
import type { Billing } from '@callout/contract/invoices';
import type { PaymentForm } from '@callout/contract/payment-form';
import { amountChanged, paymentReversed } from '@callout/contract/payments';
import { isActive } from '@callout/domain/jobs/job';
import { isStorableAmount, MAX_AMOUNT_TEXT } from '@callout/domain/money/amount';
import { decimal } from '@callout/domain/money/decimal';
import { roundMoney, subtractMoney, sumMoney } from '@callout/domain/money/money';
import { formatMoney } from '@callout/domain/money/money-text';
import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf, invalidInput } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { recordEvent } from '../history/history.sql.ts';
import { jobRecord, type StoredJob } from '../jobs/jobs.sql.ts';
import { changeStatus } from '../jobs/save-job.ts';
import { outstandingAmount, recordPayment, settleJob } from '../jobs/settle-job.ts';
import { findPayment, insertPayment, type PaymentRow, readPayment } from '../payments/payments.sql.ts';
import { readBiller } from './invoice-content.sql.ts';
import { lockBilling } from './issue-invoice.ts';
import { readBilling } from './read-billing.ts';

interface PaymentRequest extends PaymentForm {
  readonly id: string;
  readonly job_id: string;
  readonly outstanding?: string | undefined;
}

/** Money that was received for a job, once per id. Without an amount it is all that is due, and with nothing due only the status changes. */
export async function receivePayment(scope: TenantScope, request: PaymentRequest): Promise<Billing> {
  const { id, job_id, method, note } = request;
  await lockBilling(scope, job_id);
  const [job, { today, currency }] = [await readRecord(scope, jobRecord, job_id), await readBiller(scope)];
  const repeated = await findPayment(scope, id);
  if (repeated) {
    if (!isRepeat(repeated, request)) throw failureOf(idTaken);
    return readBilling(scope, job_id);
  }
  if (request.outstanding !== undefined && !decimal(request.outstanding).eq(decimal(dueNow(job)))) throw failureOf(amountChanged);
  const paid_on = request.paid_on ?? today;
  if (paid_on > today) throw invalidInput({ paid_on: "The date can't be in the future" });
  const amount = request.amount === null ? outstandingAmount(job) : roundMoney(request.amount);
  if (request.amount === null && decimal(amount).lte('0')) {
    if (job.status === 'complete' || job.status === 'invoiced') await changeStatus(scope, { id: job_id, status: 'paid' });
    return readBilling(scope, job_id);
  }
  requirePlausible(job, amount, currency);
  if (!(await recordPayment(scope, { id, job_id, amount, paid_on, method, note }))) throw failureOf(idTaken);
  await settleJob(scope, await readRecord(scope, jobRecord, job_id));
  return readBilling(scope, job_id);
}

/** As the payment page shows it: nothing when too much was paid. */
function dueNow(job: StoredJob): string {
  const outstanding = outstandingAmount(job);
  return decimal(outstanding).lt('0') ? '0.00' : outstanding;
}

/** What the request leaves to the server, all that is due or today, may be something else by now. */
function isRepeat(payment: PaymentRow, { job_id, amount, paid_on, method, note }: PaymentRequest): boolean {
  return (
    payment.job_id === job_id &&
    payment.reverses === null &&
    payment.method === method &&
    payment.note === note &&
    (paid_on === null || payment.paid_on === paid_on) &&
    (amount === null || decimal(payment.amount).eq(decimal(amount)))
  );
}

/** Before the work is done and billed, a payment is a deposit of any amount. */
function requirePlausible(job: StoredJob, amount: string, currency: string | null): void {
  const isDeposit = isActive(job.status) && job.billed_amount === null;
  const due = dueNow(job);
  if (!isDeposit && decimal(amount).gt(decimal(due))) {
    throw invalidInput({ amount: `The payment is larger than the ${formatMoney(due, currency)} that is due.` });
  }
  if (!isStorableAmount(sumMoney([job.paid_amount, amount]))) throw invalidInput({ amount: `Amount must be at most ${MAX_AMOUNT_TEXT}` });
}

interface ReversalRequest {
  readonly id: string;
  readonly reversal_id: string;
  readonly note: string | null;
}

/** Takes a payment back with a row of its own, once. */
export async function reversePayment(scope: TenantScope, { id, reversal_id, note }: ReversalRequest): Promise<Billing> {
  const { job_id } = await readPayment(scope, id);
  await lockBilling(scope, job_id);
  const payment = await readPayment(scope, id);
  const repeated = await findPayment(scope, reversal_id);
  if (repeated) {
    if (repeated.reverses !== id) throw failureOf(idTaken);
    return readBilling(scope, job_id);
  }
  if (payment.is_reversed || payment.reverses !== null) throw failureOf(paymentReversed);
  const { method, amount } = payment;
  const { today: paid_on } = await readBiller(scope);
  const reversal = { id: reversal_id, job_id, amount: subtractMoney('0', amount), paid_on, method, note, reverses: id };
  if (!(await insertPayment(scope, reversal))) throw failureOf(idTaken);
  await recordEvent(scope, 'job', job_id, 'payment_reversed', { amount: [amount, null], paid_on: [payment.paid_on, null] });
  await publishChange(scope, 'jobs', 'invoices');
  await settleJob(scope, await readRecord(scope, jobRecord, job_id));
  return readBilling(scope, job_id);
}
