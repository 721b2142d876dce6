import { divideAndRound, toDecimal, toFixedString } from '../money/decimal.ts';
import { roundMoney, sumMoney } from '../money/money.ts';

export const DEFAULT_FEE_PERCENTAGE = '2.9';
export const FIXED_FEE = '0.30';

export interface FeeSettings {
  add_paypal_fees: boolean;
  /** In percent. Null means the default; 0 is a valid setting. */
  paypal_fee_percentage: string | null;
}

/** Accepts 0 to less than 100 percent: at 100, the provider would keep the whole payment, whatever the fee. */
export function isValidFeePercentage(percentage: string): boolean {
  const percent = toDecimal(percentage);
  return percent.gte('0') && percent.lt('100');
}

/**
 * Returns the fee that leaves the full amount after the provider deducts its percentage of the total and its fixed fee:
 * (amount + fixed) / (1 - percentage) - amount, rounded once to cents, half up. '0.00' if fees are off or nothing is due.
 */
export function calculatePaymentFee(amount: string, settings: FeeSettings): string {
  const due = toDecimal(roundMoney(amount));
  if (!settings.add_paypal_fees || due.lte('0')) return '0.00';
  const percentage = settings.paypal_fee_percentage ?? DEFAULT_FEE_PERCENTAGE;
  if (!isValidFeePercentage(percentage)) throw new RangeError('A fee percentage must be at least 0 and less than 100');
  const [percent, hundred] = [toDecimal(percentage), toDecimal('100')];
  return toFixedString(divideAndRound(toDecimal(FIXED_FEE).times(hundred).plus(due.times(percent)), hundred.minus(percent), 2), 2);
}

export interface AmountDue {
  /** Amount due by bank transfer: the items including tax, without the fee. */
  amount: string;
  fee: string;
  /** Amount due online: `amount` plus the fee. */
  total: string;
}

/** Adds the online payment fee to an items total that includes tax. All amounts are rounded to cents. */
export function calculateAmountDue(itemsTotal: string, settings: FeeSettings): AmountDue {
  const amount = roundMoney(itemsTotal);
  const fee = calculatePaymentFee(amount, settings);
  return { amount, fee, total: sumMoney([amount, fee]) };
}
