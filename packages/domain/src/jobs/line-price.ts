import { divideAndRound, toDecimal, toFixedString, toPlainString } from '../money/decimal.ts';
import { calculateLineTotal, isZeroAmount, subtractMoney } from '../money/money.ts';
import { formatAmount } from '../money/money-format.ts';
import { MAX_QUANTITY } from './quantity.ts';

/** A discount as typed: a percentage of the line or an amount, never both. Both are null for a line without a discount. */
export interface LineDiscount {
  readonly discount_percent: string | null;
  readonly discount_amount: string | null;
}

export const NO_DISCOUNT: LineDiscount = { discount_percent: null, discount_amount: null };

export interface LinePrice {
  /** The money that the discount takes off. */
  readonly discount: string;
  /** The full price minus the discount. */
  readonly total_price: string;
}

/** Takes a discount off a full price. The discount is rounded half up to cents and never exceeds the price, so no total is negative. */
export function applyLineDiscount(fullPrice: string, { discount_percent, discount_amount }: LineDiscount): LinePrice {
  const price = toDecimal(fullPrice);
  const typed =
    discount_percent === null
      ? toDecimal(discount_amount ?? '0')
      : divideAndRound(price.times(toDecimal(discount_percent)), toDecimal('100'), 2);
  const discount = toFixedString(typed.gt(price) ? price : typed, 2);
  return { discount, total_price: subtractMoney(fullPrice, discount) };
}

/** Calculates a line's discount and total from its quantity and unit price. */
export function calculateLinePrice({
  unit_price,
  quantity,
  ...discount
}: LineDiscount & { unit_price: string; quantity: string }): LinePrice {
  return applyLineDiscount(calculateLineTotal(unit_price, quantity), discount);
}

/** Formats a discount as 'Discount 10%: -11.50' or 'Discount: -20.00'. Returns null if nothing is taken off. */
export function formatLineDiscount({ discount, discount_percent }: Pick<LinePrice, 'discount'> & Pick<LineDiscount, 'discount_percent'>) {
  if (isZeroAmount(discount)) return null;
  const percent = discount_percent === null ? '' : ` ${toPlainString(toDecimal(discount_percent))}%`;
  return `Discount${percent}: ${formatAmount(`-${discount}`)}`;
}

/** Formats a line as '2 × Tap at 45.00 (Discount 10%: -9.00)'. */
export function formatPricedLine(
  line: { quantity: string; name: string; unit_price: string } & Pick<LinePrice, 'discount'> & Pick<LineDiscount, 'discount_percent'>,
): string {
  const discount = formatLineDiscount(line);
  return `${formatLine(line)} at ${formatAmount(line.unit_price)}${discount === null ? '' : ` (${discount})`}`;
}

export const formatLine = ({ quantity, name }: { quantity: string; name: string }) => `${quantity} × ${name}`;

/** Explains 'The list price is 115.00 inc GST. Ask an admin, manager or accountant to lower it.' */
export const formatLowerPriceError = (name: 'list price' | 'hourly rate', price: string) =>
  `The ${name} is ${price}. Ask an admin, manager or accountant to lower it.`;

/** Adds a whole number, which may be negative, to a line's quantity. The result keeps its fraction and stays within the limits. */
export function addToQuantity(quantity: string, by: number): string {
  const sum = toDecimal(quantity).plus(toDecimal(String(by)));
  if (sum.lt('1')) return '1';
  return sum.gt(String(MAX_QUANTITY)) ? String(MAX_QUANTITY) : toPlainString(sum);
}
