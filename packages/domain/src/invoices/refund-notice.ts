import type { JobStatus } from '../jobs/job.ts';
import { isPositiveAmount } from '../money/money.ts';
import { formatMoney } from '../money/money-format.ts';

export interface ReceivedMoney {
  readonly status: JobStatus;
  readonly paid: string;
  /** The amount paid beyond what is due; zero or negative if nothing was. */
  readonly overpaid: string;
  readonly hasOpenInvoice: boolean;
  /** True if the last invoice was canceled and no other has been issued. */
  readonly isInvoiceCanceled: boolean;
}

/** Says what to do about money that no work or no invoice accounts for; null if all of it is in order. */
export function formatRefundNotice(received: ReceivedMoney, currency: string | null): string | null {
  const { status, overpaid, hasOpenInvoice, isInvoiceCanceled } = received;
  const paid = formatMoney(received.paid, currency);
  if (!isPositiveAmount(received.paid)) return null;
  if (status === 'canceled')
    return hasOpenInvoice ? null : `This job is canceled, but ${paid} was paid. Refund it and reverse the payment.`;
  if (status === 'paid' && isInvoiceCanceled)
    return `${paid} was paid, but its invoice was canceled. Issue a new one, or refund it and reverse the payment.`;
  if (!isPositiveAmount(overpaid)) return null;
  return `${formatMoney(overpaid, currency)} more was paid than is due. Refund it and reverse the payment, or bill the difference.`;
}
