import type { Billing, Payment } from '@callout/contract/invoices';
import type { JobStatus } from '@callout/domain/jobs/job';
import { isZeroAmount } from '@callout/domain/money/money';

const FINISHED_STATUSES: ReadonlySet<JobStatus> = new Set(['complete', 'invoiced', 'paid']);

/** Returns true once the work is done. Payments recorded before the work is done count as deposits. */
export const isJobFinished = ({ job }: Billing) => FINISHED_STATUSES.has(job.status);

/** Returns true if invoicing now would freeze amounts that can still change, because the job isn't complete. */
export const isInvoicingEarly = (billing: Billing) => !isJobFinished(billing) && (!billing.invoice || billing.differs);

export const isSettled = ({ job, request }: Billing) => job.status === 'paid' || isZeroAmount(request.outstanding);

/** Returns true while the quote's deposit is unpaid and no invoice has been sent, because an invoice requests the full amount. */
export const isDepositRequested = ({ request }: Billing) => request.what === 'deposit';

/** Returns true if the deposit is paid and nothing more is due until the job is complete or invoiced. */
export const isDepositPaid = ({ request }: Billing) => request.what === 'deposit_paid';

/** Returns what a payment can cover: nothing on a canceled job without an open invoice. */
export const getAmountDue = ({ job, invoice, request }: Billing) => (job.status === 'canceled' && !invoice ? '0.00' : request.outstanding);

/** Returns true if the job can be marked as paid. Once complete, even a job that costs nothing can be. */
export const canBePaid = (billing: Billing) =>
  billing.job.status !== 'canceled' && billing.job.status !== 'paid' && (isJobFinished(billing) || !isSettled(billing));

/** Returns true if the job's last invoice was canceled and no other has been issued, so the customer's link requests nothing. */
export const isCredited = ({ invoice, invoices }: Billing) => !invoice && invoices.length > 0;

/** Returns true if the open invoice is up to date, but was neither emailed nor handed over. */
export const isHandOverPending = ({ job, invoice, differs }: Billing) =>
  job.status !== 'canceled' && invoice !== null && !differs && invoice.sent_at === null;

/** Returns the PayPal link, or null for a canceled job, which requests no payment. */
export const getPaymentLink = ({ job, payment_link }: Billing) => (job.status === 'canceled' ? null : payment_link);

export const hasNothingToBill = ({ current }: Billing) => isZeroAmount(current.exact.amount);

/** Returns the payments that still count, without reversals and the payments they reversed. */
export const getActivePayments = (payments: readonly Payment[]) =>
  payments.filter(({ reverses, is_reversed }) => reverses === null && !is_reversed);

/** Returns the step whose button is primary, or null if nothing is left to do. */
export function getNextStep(billing: Billing): 'send' | 'pay' | null {
  const { invoice, differs } = billing;
  if (!canBePaid(billing)) return null;
  if (isSettled(billing) || (invoice && !differs && !isHandOverPending(billing))) return 'pay';
  return isJobFinished(billing) || isHandOverPending(billing) ? 'send' : null;
}
