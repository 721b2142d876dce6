import { randomUUID } from 'node:crypto';
import type { PaymentMethod } from '@callout/domain/invoices/invoice';
import { depositOf } from '@callout/domain/invoices/payment-request';
import { localDate } from '@callout/domain/time/zoned-time';
import { creditInvoice } from '../features/invoices/credit-invoice.ts';
import { findOpenInvoice } from '../features/invoices/invoices.sql.ts';
import { issueOrReuseInvoice, lockBilling, markInvoiced } from '../features/invoices/issue-invoice.ts';
import { jobRecord } from '../features/jobs/jobs.sql.ts';
import { outstandingAmount, recordPayment, settleJob } from '../features/jobs/settle-job.ts';
import { markLinkOpened, publicTokenOf } from '../platform/auth/public-links.sql.ts';
import { readRecord } from '../platform/db/records.ts';
import type { TenantScope } from '../platform/db/tenant-scope.ts';
import { addDeliveredInvoiceMail } from './demo.sql.ts';
import { addItem } from './demo-jobs.ts';
import { hoursLater } from './demo-time.ts';

/** A finished job of the demo, and what became of its invoice. */
export interface DemoBill {
  readonly jobId: string;
  readonly completedAt: string;
  readonly isPaid: boolean;
}

/** Asked for on acceptance of a quote. */
export interface DemoDeposit {
  readonly jobId: string;
  readonly acceptedAt: string;
}

export interface BillingEvent {
  readonly at: string;
  readonly run: (scope: TenantScope) => Promise<void>;
}

interface BillingFirm {
  readonly zone: string;
  readonly now: string;
  /** Of the price list: what was forgotten on the invoices that had to be corrected. */
  readonly forgottenItemId: string;
  readonly bills: readonly DemoBill[];
  readonly deposits: readonly DemoDeposit[];
}

const HOUR = 1;
const DAY = 24 * HOUR;

const METHODS: readonly PaymentMethod[] = ['bank_transfer', 'bank_transfer', 'card', 'bank_transfer', 'paypal', 'bank_transfer', 'cash'];

/**
 * All that the office did with invoices and payments, in the order it happened, as the numbers of invoices follow it: most are sent within
 * two days and paid within ten, some late, some in two parts. A few were corrected, a few canceled and sent again.
 */
export function billingEvents({ zone, now, forgottenItemId, bills, deposits }: BillingFirm): BillingEvent[] {
  const ofBills = bills.flatMap(({ jobId, completedAt, isPaid }, index): BillingEvent[] => {
    const sentAt = hoursLater(completedAt, 5 + (index % 4) * 9);
    const isCorrected = index % 17 === 3;
    const isCanceled = index % 31 === 9;
    const paidAt = hoursLater(sentAt, (2 + ((index * 5) % 9) + (index % 11 === 4 ? 10 : 0)) * DAY);
    const method = METHODS[index % METHODS.length] ?? 'bank_transfer';
    const payment = (at: string, share: Share) => ({ at, run: (scope: TenantScope) => pay(scope, { jobId, zone, method, share }) });
    const sending = (at: string) => ({ at, run: (scope: TenantScope) => send(scope, jobId) });
    const isInParts = index % 7 === 2;
    return [
      sending(sentAt),
      ...(isCorrected ? [{ at: hoursLater(sentAt, 3), run: (scope: TenantScope) => correct(scope, jobId, forgottenItemId) }] : []),
      ...(isCanceled
        ? [{ at: hoursLater(sentAt, 20), run: (scope: TenantScope) => cancel(scope, jobId) }, sending(hoursLater(sentAt, 21))]
        : []),
      ...(index % 6 === 5 ? [] : [{ at: hoursLater(sentAt, 23), run: (scope: TenantScope) => open(scope, jobId) }]),
      ...(isInParts ? [payment(hoursLater(sentAt, 1.5 * DAY), 'half')] : []),
      ...(isPaid ? [payment(paidAt, 'rest')] : []),
    ];
  });
  const ofDeposits = deposits.map(({ jobId, acceptedAt }) => ({
    at: hoursLater(acceptedAt, 3 * DAY),
    run: (scope: TenantScope) => pay(scope, { jobId, zone, method: 'bank_transfer', share: 'deposit' }),
  }));
  return [...ofBills, ...ofDeposits].filter(({ at }) => at <= now).toSorted((one, other) => one.at.localeCompare(other.at));
}

async function send(scope: TenantScope, jobId: string): Promise<void> {
  const { invoice, job } = await issueOrReuseInvoice(scope, jobId, {});
  await markInvoiced(scope, job);
  await publicTokenOf(scope, { kind: 'invoice', id: jobId });
  const recipient = job.customer?.email;
  if (recipient) await addDeliveredInvoiceMail(scope, invoice.id, { recipient, subject: `Invoice #${job.job_number}: ${job.title}` });
}

/** Something was forgotten: a new invoice takes the place of the first. */
async function correct(scope: TenantScope, jobId: string, itemId: string): Promise<void> {
  await addItem(scope, jobId, itemId, 1);
  await send(scope, jobId);
}

async function cancel(scope: TenantScope, jobId: string): Promise<void> {
  const invoice = await findOpenInvoice(scope, jobId);
  if (invoice) await creditInvoice(scope, { id: invoice.id, credit_id: randomUUID(), reason: 'Sent with the wrong address' });
}

const open = async (scope: TenantScope, jobId: string): Promise<void> => void (await markLinkOpened(scope, { kind: 'invoice', id: jobId }));

type Share = 'deposit' | 'half' | 'rest';

async function pay(
  scope: TenantScope,
  { jobId, zone, method, share }: { jobId: string; zone: string; method: PaymentMethod; share: Share },
): Promise<void> {
  await lockBilling(scope, jobId);
  const job = await readRecord(scope, jobRecord, jobId);
  const outstanding = outstandingAmount(job);
  const half = depositOf({ deposit_percentage: '50', deposit_amount: null }, outstanding);
  const amount = { deposit: job.deposit_amount, half, rest: outstanding }[share];
  if (amount === null) return;
  const paid_on = localDate(scope.now, zone);
  await recordPayment(scope, { id: randomUUID(), job_id: jobId, amount, paid_on, method, note: share === 'deposit' ? 'Deposit' : null });
  await settleJob(scope, await readRecord(scope, jobRecord, jobId));
}
