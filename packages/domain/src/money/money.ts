import { decimal, fixedText, plainText } from './decimal.ts';

/** Money is exact decimal text such as '1234.50', in the company's currency. */
const MONEY_PLACES = 2;

/** To cents, half up; a credit rounds like its charge, so -0.005 gives -0.01. */
export function roundMoney(amount: string): string {
  return fixedText(decimal(amount), MONEY_PLACES);
}

/** The exact sum, unrounded: at least 2 decimals, more when the amounts have more. Nothing sums to '0.00'. */
export function sumMoney(amounts: readonly string[]): string {
  return exactMoney(amounts.reduce((sum, amount) => sum.plus(decimal(amount)), decimal('0')));
}

/** The exact difference, unrounded. */
export function subtractMoney(amount: string, less: string): string {
  return exactMoney(decimal(amount).minus(decimal(less)));
}

export function isZero(amount: string): boolean {
  return decimal(amount).eq('0');
}

export function isPositive(amount: string): boolean {
  return decimal(amount).gt('0');
}

/** Unit price in cents times quantity, to cents, half up: what a document prints on the line is what it adds up. */
export function lineTotal(unitPrice: string, quantity: string): string {
  return fixedText(decimal(roundMoney(unitPrice)).times(decimal(quantity)), MONEY_PLACES);
}

function exactMoney(value: ReturnType<typeof decimal>): string {
  return value.eq(value.round(MONEY_PLACES)) ? fixedText(value, MONEY_PLACES) : plainText(value);
}
