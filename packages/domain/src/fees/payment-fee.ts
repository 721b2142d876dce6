import { decimal, fixedText, quotient } from '../money/decimal.ts';
import { roundMoney, sumMoney } from '../money/money.ts';

export const DEFAULT_FEE_PERCENTAGE = '2.9';
export const FIXED_FEE = '0.30';

export interface FeeSettings {
  add_paypal_fees: boolean;
  /** Percent; null means the default, and 0 is set. */
  paypal_fee_percentage: string | null;
}

/** At least 0 and less than 100 percent: at 100 the provider would keep everything, and no fee could make up for it. */
export function isFeePercentage(percentage: string): boolean {
  const percent = decimal(percentage);
  return percent.gte('0') && percent.lt('100');
}

/**
 * What to add to an amount so that it is left after the provider took its percentage of the whole and its fixed fee:
 * (amount + fixed) / (1 - percentage) - amount, as one fraction rounded once to cents, half up. '0.00' when off or nothing is due.
 */
export function paymentFee(amount: string, settings: FeeSettings): string {
  const due = decimal(roundMoney(amount));
  if (!settings.add_paypal_fees || due.lte('0')) return '0.00';
  const percentage = settings.paypal_fee_percentage ?? DEFAULT_FEE_PERCENTAGE;
  if (!isFeePercentage(percentage)) throw new RangeError('A fee percentage must be at least 0 and less than 100');
  const [percent, hundred] = [decimal(percentage), decimal('100')];
  return fixedText(quotient(decimal(FIXED_FEE).times(hundred).plus(due.times(percent)), hundred.minus(percent), 2), 2);
}

export interface AmountDue {
  /** What a bank transfer pays: items with their tax, without the fee. */
  amount: string;
  fee: string;
  /** What an online payment pays. */
  total: string;
}

/** The total of an invoice in cents: items total including tax, plus the fee of an online payment. */
export function amountDue(itemsTotal: string, settings: FeeSettings): AmountDue {
  const amount = roundMoney(itemsTotal);
  const fee = paymentFee(amount, settings);
  return { amount, fee, total: sumMoney([amount, fee]) };
}
