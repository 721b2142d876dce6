import { type AmountDue, calculateAmountDue, type FeeSettings } from '../fees/payment-fee.ts';
import { isActiveStatus, type JobStatus } from '../jobs/job.ts';
import { resolvePaymentLinkCurrency } from '../money/currency.ts';
import { divideAndRound, toDecimal, toFixedString } from '../money/decimal.ts';
import { roundMoney, subtractMoney } from '../money/money.ts';

export interface DepositTerms {
  /** Percentage of the accepted total. At most one of the percentage and the amount is set. */
  readonly deposit_percentage: string | null;
  readonly deposit_amount: string | null;
}

/** Returns the deposit requested on acceptance, rounded half up to cents and capped at the total; null if none is requested. */
export function calculateDeposit({ deposit_percentage, deposit_amount }: DepositTerms, total: string): string | null {
  const requested =
    deposit_percentage === null
      ? deposit_amount
      : toFixedString(divideAndRound(toDecimal(total).times(toDecimal(deposit_percentage)), toDecimal('100'), 2), 2);
  if (requested === null || toDecimal(requested).lte('0') || toDecimal(total).lte('0')) return null;
  return toDecimal(requested).gt(toDecimal(total)) ? roundMoney(total) : roundMoney(requested);
}

/** Returns true once the work is done or the invoice is sent. Until then, any payment is a deposit. */
export const isFullAmountDue = (status: JobStatus, isSent: boolean) => isSent || !isActiveStatus(status);

export interface PaymentRequestInput {
  /** Total of the items including tax, without the fee. */
  readonly amount: string;
  readonly paid: string;
  /** Deposit requested with the quote; null if none. */
  readonly deposit: string | null;
  /** True if the full amount is due; see `isFullAmountDue`. */
  readonly isDue: boolean;
}

export interface PaymentRequest extends AmountDue {
  /** 'deposit_paid' means that nothing is requested until the balance is due. */
  readonly what: 'deposit' | 'deposit_paid' | 'balance';
  /** Amount still to be paid, without the fee; '0.00' if overpaid. */
  readonly outstanding: string;
  /** Amount paid beyond the total; '0.00' if none. */
  readonly overpaid: string;
}

/** Calculates the amount requested now, for the page, the email, the PDF and the QR code. The fee applies only to online payments. */
export function calculatePaymentRequest({ amount, paid, deposit, isDue }: PaymentRequestInput, fees: FeeSettings): PaymentRequest {
  const outstanding = clampToZero(subtractMoney(amount, paid));
  const overpaid = clampToZero(subtractMoney(paid, amount));
  const depositLeft = clampToZero(subtractMoney(deposit ?? '0.00', paid));
  const what = isDue || toDecimal(depositLeft).gte(toDecimal(outstanding)) ? 'balance' : getAdvanceRequest(depositLeft, paid);
  const requested = { balance: outstanding, deposit: depositLeft, deposit_paid: '0.00' }[what];
  return { what, outstanding, overpaid, ...calculateAmountDue(requested, fees) };
}

/** Returns what to request while the work is unfinished. If no deposit was requested, customers can pay the full amount in advance. */
function getAdvanceRequest(depositLeft: string, paid: string): PaymentRequest['what'] {
  if (toDecimal(depositLeft).gt('0')) return 'deposit';
  return toDecimal(paid).gt('0') ? 'deposit_paid' : 'balance';
}

const clampToZero = (amount: string) => (toDecimal(amount).lt('0') ? '0.00' : roundMoney(amount));

export interface ReceivedPayment {
  /** What counts toward the debt. */
  readonly amount: string;
  /** What was paid on top of it for paying online; '0.00' if nothing. */
  readonly fee: string;
}

/** Splits what PayPal received if it is exactly what an online payment of the requested or the whole amount costs with its fee. */
export function splitOnlinePayment(
  received: string,
  { amount, outstanding }: Pick<PaymentRequest, 'amount' | 'outstanding'>,
  fees: FeeSettings,
): ReceivedPayment {
  const offers = [amount, outstanding].map((due) => calculateAmountDue(due, fees));
  const paid = offers.find(({ fee, total }) => fee !== '0.00' && toDecimal(total).eq(toDecimal(received)));
  return paid ? { amount: paid.amount, fee: paid.fee } : { amount: roundMoney(received), fee: '0.00' };
}

export interface PaymentLinkInput {
  /** The company's PayPal account. Without an account, there is no link. */
  readonly business: string | null;
  readonly amount: string;
  readonly currency: string | null;
  readonly item_name: string;
}

/** Builds a PayPal checkout URL; null if there is nothing to pay or no PayPal account. */
export function buildPaymentLink({ business, amount, currency, item_name }: PaymentLinkInput): string | null {
  if (!business || toDecimal(amount).lte('0')) return null;
  const url = new URL('https://www.paypal.com/cgi-bin/webscr');
  url.search = new URLSearchParams({
    cmd: '_xclick',
    business,
    amount: roundMoney(amount),
    currency_code: resolvePaymentLinkCurrency(currency),
    item_name,
    no_shipping: '1',
    no_note: '1',
  }).toString();
  return url.href;
}

interface JobReference {
  readonly job_number: string;
  readonly title: string;
}

/** Formats the item name that PayPal shows after following the link on the job's payment page. */
export const formatJobItemName = ({ job_number, title }: JobReference) => `Job #${job_number} - ${title}`;

/** Formats the item name that PayPal shows after following the link on the public invoice. */
export const formatInvoiceItemName = ({ job_number, title }: JobReference) => `Invoice #${job_number} - ${title}`;
