import { decimal, fixedText, quotient } from '../money/decimal.ts';
import { roundMoney } from '../money/money.ts';

export const PRICING_METHODS = ['margin', 'markup', 'fixed'] as const;
export type PricingMethod = (typeof PRICING_METHODS)[number];

export const DEFAULT_MARGIN_PERCENTAGE = '30';

export function isMarginPercentage(percentage: string): boolean {
  const percent = decimal(percentage);
  return percent.gte('0') && percent.lte('100');
}

/** How the price of an item follows from its cost. Amounts are exact text; only the one of the chosen method has to be set. */
export interface ItemPricing {
  cost_price: string;
  pricing_method: PricingMethod;
  margin_percentage: string | null;
  markup_amount: string | null;
  fixed_price: string | null;
  is_service: boolean;
}

/** What the customer pays for one, in cents. A fixed price of 0 is a price; an empty one is not. */
export function sellingPrice(item: ItemPricing): string {
  const { cost_price: cost, fixed_price: fixed } = item;
  const costsNothing = decimal(cost).eq('0');
  if (fixed !== null && (costsNothing || item.pricing_method === 'fixed')) return roundMoney(fixed);
  if (item.pricing_method === 'markup')
    return roundMoney(
      decimal(cost)
        .plus(decimal(item.markup_amount ?? '0'))
        .toFixed(),
    );
  if (item.pricing_method === 'margin') return priceWithMargin(cost, item.margin_percentage ?? '0');
  return roundMoney(cost);
}

/** cost / (1 - margin / 100) for a margin between 0 and 100, as one fraction rounded once; any other margin adds nothing. */
function priceWithMargin(cost: string, margin: string): string {
  const [percent, hundred] = [decimal(margin), decimal('100')];
  if (percent.lte('0') || percent.gte(hundred)) return roundMoney(cost);
  return fixedText(quotient(decimal(cost).times(hundred), hundred.minus(percent), 2), 2);
}

/** Percent of the price that is profit, with 1 decimal: 100 for what costs nothing and for services, negative when sold below cost. */
export function profitMargin(item: ItemPricing): string {
  const [price, cost, hundred] = [decimal(sellingPrice(item)), decimal(item.cost_price), decimal('100')];
  if (item.is_service || cost.eq('0')) return '100.0';
  if (price.eq('0')) return '0.0';
  return fixedText(quotient(price.minus(cost).times(hundred), price, 1), 1);
}
