import type { PublicInvoice } from '@callout/contract/public-invoices';
import { formatMoney } from '@callout/domain/money/money-format';

export type PublicPaymentMethod = 'online' | 'bank';

/** Returns true for drafts and open invoices that request more than zero. */
export function isPaymentDue({ state, request }: PublicInvoice): boolean {
  return (state === 'draft' || state === 'open') && request.amount !== '0.00';
}

export function isMethodAvailable({ payment_link, bank_account_number }: PublicInvoice, method: PublicPaymentMethod): boolean {
  return method === 'online' ? payment_link !== null : bank_account_number !== null;
}

export const getDefaultMethod = (invoice: PublicInvoice): PublicPaymentMethod =>
  !isMethodAvailable(invoice, 'online') && isMethodAvailable(invoice, 'bank') ? 'bank' : 'online';

/** Returns true if paying by `method` adds a fee, which only online payments do. */
export function hasOnlineFee(invoice: PublicInvoice, method: PublicPaymentMethod): boolean {
  return method === 'online' && isMethodAvailable(invoice, 'online') && invoice.request.fee !== '0.00';
}

export function formatPayableAmount(invoice: PublicInvoice, method: PublicPaymentMethod): string {
  const { request, document } = invoice;
  return formatMoney(hasOnlineFee(invoice, method) ? request.total : request.amount, document.currency);
}
