import type { Billing, Payment } from '@callout/contract/invoices';
import type { JobStatus } from '@callout/domain/jobs/job';
import { isZero } from '@callout/domain/money/money';

const FINISHED: ReadonlySet<JobStatus> = new Set(['complete', 'invoiced', 'paid']);

/** The work is done: before that, what is paid is a deposit. */
export const isFinished = ({ job }: Billing) => FINISHED.has(job.status);

/** Sending now would freeze figures that the work may still change. */
export const isEarly = (billing: Billing) => !isFinished(billing) && (!billing.invoice || billing.differs);

/** Nothing more can be asked for. */
export const isSettled = ({ job, request }: Billing) => job.status === 'paid' || isZero(request.outstanding);

/** Requested with the quote and not paid yet; an invoice asks for everything. */
export const asksForDeposit = ({ request }: Billing) => request.what === 'deposit';

/** The customer is asked for nothing until the work is done or an invoice is sent. */
export const isDepositPaid = ({ request }: Billing) => request.what === 'deposit_paid';

/** Also a job that costs nothing is paid by hand, once it is done. */
export const mayBePaid = (billing: Billing) =>
  billing.job.status !== 'canceled' && billing.job.status !== 'paid' && (isFinished(billing) || !isSettled(billing));

/** PayPal's page. A canceled job asks nobody for money. */
export const linkToPay = ({ job, payment_link }: Billing) => (job.status === 'canceled' ? null : payment_link);

/** A bill of 0.00 would ask for nothing. */
export const isNothingToBill = ({ current }: Billing) => isZero(current.exact.amount);

/** Without reversals and what they took back. */
export const keptPayments = (payments: readonly Payment[]) =>
  payments.filter(({ reverses, is_reversed }) => reverses === null && !is_reversed);

/** What can be done next, which is the one filled button; null when nothing is left to do. */
export function nextStep(billing: Billing): 'send' | 'pay' | null {
  const { invoice, differs } = billing;
  if (!mayBePaid(billing)) return null;
  if (isSettled(billing) || (invoice && !differs)) return 'pay';
  return isFinished(billing) ? 'send' : null;
}
