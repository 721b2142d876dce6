import { idTakenError } from '@callout/contract/errors';
import type { Billing } from '@callout/contract/invoices';
import type { PaymentInput } from '@callout/contract/payment-form';
import { amountDueChangedError, paymentReversedError } from '@callout/contract/payments';
import { calculateAmountDue, type FeeSettings } from '@callout/domain/fees/payment-fee';
import {
  calculatePaymentRequest,
  isFullAmountDue,
  type ReceivedPayment,
  splitOnlinePayment,
} from '@callout/domain/invoices/payment-request';
import { isActiveStatus } from '@callout/domain/jobs/job';
import { isStorableAmount, MAX_AMOUNT_TEXT } from '@callout/domain/money/amount';
import { toDecimal } from '@callout/domain/money/decimal';
import { isPositiveAmount, roundMoney, subtractMoney, sumMoney } from '@callout/domain/money/money';
import { formatMoney } from '@callout/domain/money/money-format';
import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { createInvalidInputFailure, toFailure } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { type BillingCompany, readBillingCompany } from '../company/company.sql.ts';
import { recordEvent } from '../history/history.sql.ts';
import { getEarliestJobPaymentDate } from '../invoices/invoice-content.ts';
import { findOpenInvoice } from '../invoices/invoices.sql.ts';
import { readBilling } from '../invoices/read-billing.ts';
import { getApplicableFees } from '../invoices/renderable-invoice.ts';
import { freezeTaxRate } from '../jobs/job-billing.sql.ts';
import { findPayment, insertPayment, readPayment, type StoredPayment } from '../jobs/job-payments.sql.ts';
import { jobRecordType, type StoredJob } from '../jobs/jobs.sql.ts';
import { updateJobStatus } from '../jobs/save-job.ts';
import { calculateOutstandingAmount, getChargedAmount, insertPaymentWithHistory, lockPricedJob, settleJob } from '../jobs/settle-job.ts';

interface RecordPaymentInput extends PaymentInput {
  readonly id: string;
  readonly job_id: string;
  readonly outstanding?: string | undefined;
}

/** Records a payment, by default of the whole amount due. If nothing is due, only marks the job as paid. Idempotent by `id`. */
export async function recordPayment(scope: TenantScope, request: RecordPaymentInput): Promise<Billing> {
  const { id, job_id, method, note } = request;
  await lockPricedJob(scope, job_id);
  const [job, company] = [await readRecord(scope, jobRecordType, job_id), await readBillingCompany(scope)];
  const { today } = company;
  const existing = await findPayment(scope, id);
  if (existing) {
    if (!isSamePayment(existing, request)) throw toFailure(idTakenError);
    return readBilling(scope, job_id);
  }
  if (request.outstanding !== undefined && !toDecimal(request.outstanding).eq(toDecimal(getAmountDue(job))))
    throw toFailure(amountDueChangedError);
  const paid_on = request.paid_on ?? today;
  requirePlausibleDate(job, company, paid_on);
  if (request.amount === null && toDecimal(calculateOutstandingAmount(job)).lte('0')) {
    if (job.status !== 'canceled' && !isActiveStatus(job.status)) await updateJobStatus(scope, { id: job_id, status: 'paid' });
    return readBilling(scope, job_id);
  }
  const due = await calculateOnlineAmountDue(scope, job, company);
  const { amount, fee } = splitReceivedAmount(request, due, calculateOutstandingAmount(job));
  requireValidAmount(job, { ...request, amount }, due.fees);
  if (!(await insertPaymentWithHistory(scope, job, { id, amount, fee, paid_on, method, note }))) throw toFailure(idTakenError);
  const { status, tax_rate } = await settleJob(scope, await readRecord(scope, jobRecordType, job_id));
  if (status === 'paid') await freezeTaxRate(scope, job_id, tax_rate);
  return readBilling(scope, job_id);
}

/** Without an amount, the payment covers the whole debt. How much fee came with it is not known, so none is recorded. */
function splitReceivedAmount(
  { amount, method }: RecordPaymentInput,
  due: Awaited<ReturnType<typeof calculateOnlineAmountDue>>,
  outstanding: string,
): ReceivedPayment {
  if (amount !== null && method === 'paypal') return splitOnlinePayment(amount, due, due.fees);
  return { amount: roundMoney(amount ?? outstanding), fee: '0.00' };
}

function requirePlausibleDate(job: StoredJob, company: BillingCompany, paidOn: string): void {
  if (paidOn > company.today) throw createInvalidInputFailure({ paid_on: "The date can't be in the future" });
  if (paidOn < getEarliestJobPaymentDate(job, company))
    throw createInvalidInputFailure({ paid_on: 'The date is more than a year before this job. Please check the year.' });
}

/** Calculates what the customer's page requests now, with the fees of the open invoice or, if there is none, the company's. */
async function calculateOnlineAmountDue(scope: TenantScope, job: StoredJob, company: BillingCompany) {
  const open = await findOpenInvoice(scope, job.id);
  const fees = getApplicableFees(open?.copy?.fees ?? company.fees, company);
  const isDue = isFullAmountDue(job.status, open !== null);
  const owed = { amount: getChargedAmount(job), paid: job.paid_amount, deposit: job.deposit_amount, isDue };
  return { ...calculatePaymentRequest(owed, fees), fees };
}

/** Returns the outstanding amount, or '0.00' if the job is overpaid, or canceled without an open invoice. */
function getAmountDue(job: StoredJob): string {
  const outstanding = calculateOutstandingAmount(job);
  const isVoid = job.status === 'canceled' && job.billed_amount === null;
  return isVoid || toDecimal(outstanding).lt('0') ? '0.00' : outstanding;
}

/** Ignores an omitted amount or date, because its default may have changed since the first request. */
function isSamePayment(payment: StoredPayment, { job_id, amount, paid_on, method, note }: RecordPaymentInput): boolean {
  return (
    payment.job_id === job_id &&
    payment.reverses === null &&
    payment.method === method &&
    payment.note === note &&
    (paid_on === null || payment.paid_on === paid_on) &&
    (amount === null || [payment.amount, sumMoney([payment.amount, payment.fee])].some((value) => toDecimal(value).eq(toDecimal(amount))))
  );
}

/**
 * Throws if the amount exceeds the amount due, unless that is confirmed: customers pay twice, too much, or for a canceled job. While the
 * job is neither done nor billed, its price can grow.
 */
function requireValidAmount(
  job: StoredJob,
  { amount, is_excess_confirmed }: { readonly amount: string; readonly is_excess_confirmed: boolean },
  fees: FeeSettings,
): void {
  const due = getAmountDue(job);
  if (toDecimal(amount).gt(toDecimal(due)) && !is_excess_confirmed) {
    const money = (value: string) => formatMoney(value, job.currency);
    const isDeposit = isActiveStatus(job.status) && job.billed_amount === null;
    const online = calculateAmountDue(due, fees);
    const withFee = online.fee === '0.00' ? '' : `, or ${money(online.total)} by PayPal with its fee`;
    if (!isDeposit) throw createInvalidInputFailure({ amount: `Amount can't be more than the ${money(due)} due${withFee}` });
    if (isPositiveAmount(getChargedAmount(job)))
      throw createInvalidInputFailure({ amount: `This is more than the ${money(due)} not paid yet. Please confirm it.` });
  }
  if (!isStorableAmount(sumMoney([job.paid_amount, amount])))
    throw createInvalidInputFailure({ amount: `Amount must be at most ${MAX_AMOUNT_TEXT}` });
}

interface ReversePaymentInput {
  readonly id: string;
  readonly reversal_id: string;
  readonly note: string | null;
}

/** Reverses a payment by adding a negative one, because stored payments never change. Idempotent by `reversal_id`. */
export async function reversePayment(scope: TenantScope, { id, reversal_id, note }: ReversePaymentInput): Promise<Billing> {
  const { job_id } = await readPayment(scope, id);
  await lockPricedJob(scope, job_id);
  const payment = await readPayment(scope, id);
  const existing = await findPayment(scope, reversal_id);
  if (existing) {
    if (existing.reverses !== id) throw toFailure(idTakenError);
    return readBilling(scope, job_id);
  }
  if (payment.is_reversed || payment.reverses !== null) throw toFailure(paymentReversedError);
  const { method, amount, fee } = payment;
  const { today: paid_on } = await readBillingCompany(scope);
  const reversal = {
    id: reversal_id,
    customer_name: payment.customer_name,
    amount: subtractMoney('0', amount),
    fee: subtractMoney('0', fee),
    paid_on,
    method,
    note,
    reverses: id,
  };
  if (!(await insertPayment(scope, await readRecord(scope, jobRecordType, job_id), reversal))) throw toFailure(idTakenError);
  await recordEvent(scope, 'job', job_id, 'payment_reversed', { amount: [amount, null], paid_on: [payment.paid_on, null] });
  await publishChange(scope, 'jobs', 'invoices');
  await settleJob(scope, await readRecord(scope, jobRecordType, job_id));
  return readBilling(scope, job_id);
}
