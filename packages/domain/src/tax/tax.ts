import { decimal, fixedText, quotient } from '../money/decimal.ts';
import { subtractMoney } from '../money/money.ts';

export const DEFAULT_TAX_RATE = '15';

/** Percent; a company's own rate when set, and 0 is set. */
export function taxRate(gstPercentage: string | null | undefined): string {
  return gstPercentage ?? DEFAULT_TAX_RATE;
}

/** From 0 to 100 percent. */
export function isTaxRate(percentage: string): boolean {
  const percent = decimal(percentage);
  return percent.gte('0') && percent.lte('100');
}

export function taxLabel(taxInclusive: boolean): 'inc GST' | 'exc GST' {
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
 * Rate in percent. Lines are summed exactly; subtotal and total are each rounded once to cents, half up, and the tax is their
 * difference, so the three printed figures always add up.
 */
export function taxTotals(lines: readonly TaxedLine[], rate: string): TaxTotals {
  const percent = decimal(rate);
  if (percent.lt('0')) throw new RangeError('A tax rate is not negative');
  const inclusive = sumOf(lines.filter((line) => line.tax_inclusive));
  const exclusive = sumOf(lines.filter((line) => !line.tax_inclusive));
  const hundred = decimal('100');
  const gross = hundred.plus(percent);
  const hundredfoldTotal = inclusive.times(hundred).plus(exclusive.times(gross));
  const subtotal = fixedText(quotient(hundredfoldTotal, gross, 2), 2);
  const total = fixedText(quotient(hundredfoldTotal, hundred, 2), 2);
  return { subtotal, tax_amount: subtractMoney(total, subtotal), total_amount: total };
}

/** Splits one amount that contains its tax, at a rate in percent; rounded as `taxTotals`. Only for an amount that has no lines. */
export function splitInclusive(total: string, rate: string): TaxTotals {
  return taxTotals([{ total, tax_inclusive: true }], rate);
}

function sumOf(lines: readonly TaxedLine[]) {
  return lines.reduce((sum, line) => sum.plus(decimal(line.total)), decimal('0'));
}
