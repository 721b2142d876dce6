import { divideAndRound, toDecimal, toFixedString } from '../money/decimal.ts';
import { subtractMoney } from '../money/money.ts';

export const DEFAULT_TAX_RATE = '15';

/** Returns the company's rate in percent, even if it is 0, or the default if none is set. */
export function getTaxRate(gstPercentage: string | null | undefined): string {
  return gstPercentage ?? DEFAULT_TAX_RATE;
}

/** Accepts 0 to 100 percent, both inclusive. */
export function isValidTaxRate(percentage: string): boolean {
  const percent = toDecimal(percentage);
  return percent.gte('0') && percent.lte('100');
}

export function getTaxInclusionLabel(taxInclusive: boolean): 'inc GST' | 'exc GST' {
  return taxInclusive ? 'inc GST' : 'exc GST';
}

export interface TaxedLine {
  total: string;
  tax_inclusive: boolean;
}

export interface TaxTotals {
  subtotal: string;
  tax_amount: string;
  total_amount: string;
}

/**
 * Sums the lines exactly, then rounds the subtotal and the total once each, half up, to cents. The tax is the difference, so that the three
 * printed figures always add up. `rate` is in percent.
 */
export function calculateTaxTotals(lines: readonly TaxedLine[], rate: string): TaxTotals {
  const { hundredfoldTotal, gross } = sumLines(lines, rate);
  const subtotal = toFixedString(divideAndRound(hundredfoldTotal, gross, 2), 2);
  const total = toFixedString(divideAndRound(hundredfoldTotal, HUNDRED, 2), 2);
  return { subtotal, tax_amount: subtractMoney(total, subtotal), total_amount: total };
}

/** Returns true if `calculateTaxTotals` has nothing to round. The totals of several such groups of lines add up to the cent. */
export function hasExactTaxTotals(lines: readonly TaxedLine[], rate: string): boolean {
  const { subtotal, total_amount } = calculateTaxTotals(lines, rate);
  const { hundredfoldTotal, gross } = sumLines(lines, rate);
  return toDecimal(subtotal).times(gross).eq(hundredfoldTotal) && toDecimal(total_amount).times(HUNDRED).eq(hundredfoldTotal);
}

const HUNDRED = toDecimal('100');

/** Returns the exact total times 100, and 100 plus the rate in percent, so that nothing is divided before it is rounded. */
function sumLines(lines: readonly TaxedLine[], rate: string) {
  const percent = toDecimal(rate);
  if (percent.lt('0')) throw new RangeError('A tax rate must not be negative');
  const inclusive = sumLineTotals(lines.filter((line) => line.tax_inclusive));
  const exclusive = sumLineTotals(lines.filter((line) => !line.tax_inclusive));
  const gross = HUNDRED.plus(percent);
  return { hundredfoldTotal: inclusive.times(HUNDRED).plus(exclusive.times(gross)), gross };
}

/** Splits a total that includes tax but has no line items. Rounds like `calculateTaxTotals`. `rate` is in percent. */
export function splitInclusiveTotal(total: string, rate: string): TaxTotals {
  return calculateTaxTotals([{ total, tax_inclusive: true }], rate);
}

function sumLineTotals(lines: readonly TaxedLine[]) {
  return lines.reduce((sum, line) => sum.plus(toDecimal(line.total)), toDecimal('0'));
}
