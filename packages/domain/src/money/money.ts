import { toDecimal, toFixedString, toPlainString } from './decimal.ts';

/** Amounts of money are decimal strings such as '1234.50', in the company's currency. */
const MONEY_DECIMALS = 2;

/** Rounds to cents, half up. A credit rounds like its charge: -0.005 becomes -0.01. */
export function roundMoney(amount: string): string {
  return toFixedString(toDecimal(amount), MONEY_DECIMALS);
}

/** Returns the exact, unrounded sum with at least 2 decimals; '0.00' for an empty list. */
export function sumMoney(amounts: readonly string[]): string {
  return toExactMoney(amounts.reduce((sum, amount) => sum.plus(toDecimal(amount)), toDecimal('0')));
}

/** Returns the exact, unrounded difference. */
export function subtractMoney(amount: string, subtrahend: string): string {
  return toExactMoney(toDecimal(amount).minus(toDecimal(subtrahend)));
}

export function isZeroAmount(amount: string): boolean {
  return toDecimal(amount).eq('0');
}

export function isPositiveAmount(amount: string): boolean {
  return toDecimal(amount).gt('0');
}

/** Rounds the unit price to cents before multiplying, so that the printed price and total agree. The total is rounded half up to cents. */
export function calculateLineTotal(unitPrice: string, quantity: string): string {
  return toFixedString(toDecimal(roundMoney(unitPrice)).times(toDecimal(quantity)), MONEY_DECIMALS);
}

function toExactMoney(value: ReturnType<typeof toDecimal>): string {
  return value.eq(value.round(MONEY_DECIMALS)) ? toFixedString(value, MONEY_DECIMALS) : toPlainString(value);
}
