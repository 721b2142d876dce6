import { divideAndRound, toDecimal, toFixedString } from '../money/decimal.ts';
import { roundMoney } from '../money/money.ts';

export const PRICING_METHODS = ['margin', 'markup', 'fixed'] as const;
export type PricingMethod = (typeof PRICING_METHODS)[number];

export const DEFAULT_MARGIN_PERCENTAGE = '30';

export function isValidMarginPercentage(percentage: string): boolean {
  const percent = toDecimal(percentage);
  return percent.gte('0') && percent.lte('100');
}

/** Determines an item's price from its cost. Amounts are decimal strings; only the chosen method's field must be set. */
export interface ItemPricing {
  cost_price: string;
  pricing_method: PricingMethod;
  margin_percentage: string | null;
  markup_amount: string | null;
  fixed_price: string | null;
  is_service: boolean;
}

/** Returns the price of one unit, rounded to cents. A fixed price of 0 is valid; null means that no price is set. */
export function calculateSellingPrice(item: ItemPricing): string {
  const { cost_price: cost, fixed_price: fixed } = item;
  const hasNoCost = toDecimal(cost).eq('0');
  if (fixed !== null && (hasNoCost || item.pricing_method === 'fixed')) return roundMoney(fixed);
  if (item.pricing_method === 'markup')
    return roundMoney(
      toDecimal(cost)
        .plus(toDecimal(item.markup_amount ?? '0'))
        .toFixed(),
    );
  if (item.pricing_method === 'margin') return calculatePriceWithMargin(cost, item.margin_percentage ?? '0');
  return roundMoney(cost);
}

/** Returns cost / (1 - margin / 100), rounded once. A margin of 0 or less, or 100 or more, adds nothing. */
function calculatePriceWithMargin(cost: string, margin: string): string {
  const [percent, hundred] = [toDecimal(margin), toDecimal('100')];
  if (percent.lte('0') || percent.gte(hundred)) return roundMoney(cost);
  return toFixedString(divideAndRound(toDecimal(cost).times(hundred), hundred.minus(percent), 2), 2);
}

/** Returns the profit in percent of the price, with 1 decimal: 100 for services and items without a cost, negative below cost. */
export function calculateProfitMargin(item: ItemPricing): string {
  const [price, cost, hundred] = [toDecimal(calculateSellingPrice(item)), toDecimal(item.cost_price), toDecimal('100')];
  if (item.is_service || cost.eq('0')) return '100.0';
  if (price.eq('0')) return '0.0';
  return toFixedString(divideAndRound(price.minus(cost).times(hundred), price, 1), 1);
}
