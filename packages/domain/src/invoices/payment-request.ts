import { type AmountDue, amountDue, type FeeSettings } from '../fees/payment-fee.ts';
import { isActive, type JobStatus } from '../jobs/job.ts';
import { paymentLinkCurrency } from '../money/currency.ts';
import { decimal, fixedText, quotient } from '../money/decimal.ts';
import { roundMoney, subtractMoney } from '../money/money.ts';

export interface DepositTerms {
  /** Percent of the accepted total. At most one of the two is set. */
  readonly deposit_percentage: string | null;
  readonly deposit_amount: string | null;
}

/** What is asked for on acceptance of a total, at most all of it; null when no deposit is. */
export function depositOf({ deposit_percentage, deposit_amount }: DepositTerms, total: string): string | null {
  const asked =
    deposit_percentage === null
      ? deposit_amount
      : fixedText(quotient(decimal(total).times(decimal(deposit_percentage)), decimal('100'), 2), 2);
  if (asked === null || decimal(asked).lte('0') || decimal(total).lte('0')) return null;
  return decimal(asked).gt(decimal(total)) ? roundMoney(total) : roundMoney(asked);
}

/** All of a job is due once the work is done or its invoice was sent. Until then what is paid is a deposit. */
export const isAllDue = (status: JobStatus, isSent: boolean) => isSent || !isActive(status);

export interface Owed {
  /** Items with their tax, without the fee. */
  readonly amount: string;
  readonly paid: string;
  /** Requested with the quote. */
  readonly deposit: string | null;
  /** See `isAllDue`. */
  readonly isDue: boolean;
}

export interface PaymentRequest extends AmountDue {
  /** 'deposit_paid': nothing is asked for until the rest is due. */
  readonly what: 'deposit' | 'deposit_paid' | 'balance';
  /** All that is still to be paid, without the fee; '0.00' when more was paid. */
  readonly outstanding: string;
  /** What was paid too much; '0.00' otherwise. */
  readonly overpaid: string;
}

/** What a customer is asked to pay now: the same on page, mail, PDF and QR code. The fee is that of an online payment. */
export function paymentRequest({ amount, paid, deposit, isDue }: Owed, fees: FeeSettings): PaymentRequest {
  const outstanding = atLeastZero(subtractMoney(amount, paid));
  const overpaid = atLeastZero(subtractMoney(paid, amount));
  const depositLeft = atLeastZero(subtractMoney(deposit ?? '0.00', paid));
  const what = isDue || decimal(depositLeft).gte(decimal(outstanding)) ? 'balance' : earlyRequest(depositLeft, paid);
  const asked = { balance: outstanding, deposit: depositLeft, deposit_paid: '0.00' }[what];
  return { what, outstanding, overpaid, ...amountDue(asked, fees) };
}

/** While the work is to be done: without a deposit all of it can be paid in advance. */
function earlyRequest(depositLeft: string, paid: string): PaymentRequest['what'] {
  if (decimal(depositLeft).gt('0')) return 'deposit';
  return decimal(paid).gt('0') ? 'deposit_paid' : 'balance';
}

const atLeastZero = (amount: string) => (decimal(amount).lt('0') ? '0.00' : roundMoney(amount));

export interface PaymentLink {
  /** Null when the company has no PayPal account: there is no link then. */
  readonly business: string | null;
  readonly amount: string;
  readonly currency: string | null;
  readonly item_name: string;
}

/** The checkout page of PayPal for one amount; null when there is nothing to pay or nobody to pay it to. */
export function paymentLink({ business, amount, currency, item_name }: PaymentLink): string | null {
  if (!business || decimal(amount).lte('0')) return null;
  const url = new URL('https://www.paypal.com/cgi-bin/webscr');
  url.search = new URLSearchParams({
    cmd: '_xclick',
    business,
    amount: roundMoney(amount),
    currency_code: paymentLinkCurrency(currency),
    item_name,
    no_shipping: '1',
    no_note: '1',
  }).toString();
  return url.href;
}

interface NamedJob {
  readonly job_number: string;
  readonly title: string;
}

/** On the payment page. */
export const jobItemName = ({ job_number, title }: NamedJob) => `Job #${job_number} - ${title}`;

/** On the public invoice. */
export const invoiceItemName = ({ job_number, title }: NamedJob) => `Invoice #${job_number} - ${title}`;
