import { toDecimal, toFixedString } from '../money/decimal.ts';
import { calculateLineTotal, subtractMoney, sumMoney } from '../money/money.ts';
import { calculateTaxTotals, hasExactTaxTotals, type TaxTotals } from '../tax/tax.ts';

export interface PricedQuoteLine {
  readonly quantity: string;
  readonly unit_price: string;
  readonly tax_inclusive: boolean;
}

export interface PricedSection {
  readonly items: readonly PricedQuoteLine[];
}

/** Sums a section's lines. `rate` is in percent. */
export function calculateSectionTotals(section: PricedSection, rate: string): TaxTotals {
  return calculateTaxTotals(toTaxedLines(section), rate);
}

/**
 * Returns true if each section can show its own subtotal and tax. They may not add up to those of the quote if one of them is rounded, so
 * sections then show only their totals. Doesn't depend on the customer's selection, so that nothing appears or disappears with it.
 */
export function hasSectionTax(sections: readonly PricedSection[], rate: string): boolean {
  return sections.length < 2 || sections.every((section) => hasExactTaxTotals(toTaxedLines(section), rate));
}

const toTaxedLines = ({ items }: PricedSection) =>
  items.map(({ quantity, unit_price, tax_inclusive }) => ({ total: calculateLineTotal(unit_price, quantity), tax_inclusive }));

export interface QuoteTotals extends TaxTotals {
  /** Total minus the sum of the rounded section totals: '0.00', or a cent or two. Printed so that the figures add up. */
  readonly rounding: string;
}

/** Rounds once over all lines, like the resulting job, so that the invoice matches what the customer accepted. `rate` is in percent. */
export function calculateQuoteTotals(sections: readonly PricedSection[], rate: string): QuoteTotals {
  const totals = calculateSectionTotals({ items: sections.flatMap(({ items }) => items) }, rate);
  const sectionSum = sumMoney(sections.map((section) => calculateSectionTotals(section, rate).total_amount));
  return { ...totals, rounding: subtractMoney(totals.total_amount, sectionSum) };
}

export interface ProfitLine {
  readonly quantity: string;
  readonly unit_price: string;
  /** Null if the line isn't from a price list. */
  readonly cost_price: string | null;
  readonly is_service: boolean;
}

/** Sums (unit price - cost) x quantity, rounded half up to cents. Services and lines without a cost price count in full. */
export function estimateProfit(lines: readonly ProfitLine[]): string {
  const profit = lines.reduce((sum, { quantity, unit_price, cost_price, is_service }) => {
    const cost = is_service || cost_price === null ? '0' : cost_price;
    return sum.plus(toDecimal(unit_price).minus(toDecimal(cost)).times(toDecimal(quantity)));
  }, toDecimal('0'));
  return toFixedString(profit, 2);
}
