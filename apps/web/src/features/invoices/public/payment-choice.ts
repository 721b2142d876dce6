import type { PublicInvoice } from '@callout/contract/public-invoices';
import { formatMoney } from '@callout/domain/money/money-text';

export type PaymentMethod = 'online' | 'bank';

/** Only these two states ask for money, and an invoice over nothing does not. */
export function isToPay({ state, request }: PublicInvoice): boolean {
  return (state === 'draft' || state === 'open') && request.amount !== '0.00';
}

/** Where the customer can pay now. */
export function canPay({ payment_link, bank_account_number }: PublicInvoice, method: PaymentMethod): boolean {
  return method === 'online' ? payment_link !== null : bank_account_number !== null;
}

/** Online payment, unless only a bank transfer is possible. */
export const firstMethod = (invoice: PublicInvoice): PaymentMethod =>
  !canPay(invoice, 'online') && canPay(invoice, 'bank') ? 'bank' : 'online';

/** What is asked for now: the fee is for those who can pay online, and do. */
export function hasFee(invoice: PublicInvoice, method: PaymentMethod): boolean {
  return method === 'online' && canPay(invoice, 'online') && invoice.request.fee !== '0.00';
}

/** '$1,057.34' */
export function priceOf(invoice: PublicInvoice, method: PaymentMethod): string {
  const { request, document } = invoice;
  return formatMoney(hasFee(invoice, method) ? request.total : request.amount, document.currency);
}
