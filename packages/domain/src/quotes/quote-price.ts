import { decimal, fixedText } from '../money/decimal.ts';
import { lineTotal, subtractMoney, sumMoney } from '../money/money.ts';
import { type TaxTotals, taxTotals } from '../tax/tax.ts';

export interface PricedQuoteLine {
  readonly quantity: string;
  readonly unit_price: string;
  readonly tax_inclusive: boolean;
}

export interface PricedSection {
  readonly items: readonly PricedQuoteLine[];
}

/** Of one section; the rate is in percent. */
export function sectionTotals({ items }: PricedSection, rate: string): TaxTotals {
  return taxTotals(
    items.map(({ quantity, unit_price, tax_inclusive }) => ({ total: lineTotal(unit_price, quantity), tax_inclusive })),
    rate,
  );
}

export interface QuoteTotals extends TaxTotals {
  /** What the total has more than the rounded totals of its sections: a cent or two, or '0.00'. Printed, so that the page adds up. */
  readonly rounding: string;
}

/**
 * Of the given sections together; the rate is in percent. All lines are summed exactly and rounded once, as for the job that is made from
 * them: what a customer accepts is what they are invoiced.
 */
export function quoteTotals(sections: readonly PricedSection[], rate: string): QuoteTotals {
  const totals = sectionTotals({ items: sections.flatMap(({ items }) => items) }, rate);
  const printed = sumMoney(sections.map((section) => sectionTotals(section, rate).total_amount));
  return { ...totals, rounding: subtractMoney(totals.total_amount, printed) };
}

export interface ProfitableLine {
  readonly quantity: string;
  readonly unit_price: string;
  /** Null for a line that is from no price list. */
  readonly cost_price: string | null;
  readonly is_service: boolean;
}

/** Unit price, less the cost unless the line is a service or has none, times quantity; to cents, half up. */
export function estimatedProfit(lines: readonly ProfitableLine[]): string {
  const profit = lines.reduce((sum, { quantity, unit_price, cost_price, is_service }) => {
    const cost = is_service || cost_price === null ? '0' : cost_price;
    return sum.plus(decimal(unit_price).minus(decimal(cost)).times(decimal(quantity)));
  }, decimal('0'));
  return fixedText(profit, 2);
}
