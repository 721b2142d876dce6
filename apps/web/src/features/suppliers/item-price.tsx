import type { Item, ItemSort } from '@callout/contract/items';
import { formatMoney } from '@callout/domain/money/money-text';
import type { PricingMethod } from '@callout/domain/suppliers/item-pricing';
import { defineListFilter } from '../../lib/list-filter.ts';
import { useProfile } from '../company/company.api.ts';

export const PRICING_METHOD_LABELS: Record<PricingMethod, string> = { margin: 'Margin', markup: 'Markup', fixed: 'Fixed' };

/** '$142.86' */
export function Money({ amount }: { amount: string }) {
  return formatMoney(amount, useProfile()?.currency);
}

/** '$142.86 (inc GST)' */
export function ItemPrice({ item: { selling_price, tax_inclusive } }: { item: Pick<Item, 'selling_price' | 'tax_inclusive'> }) {
  return (
    <span className="tabular-nums">
      <Money amount={selling_price} />
      <span className="text-sm font-normal text-ink-3"> ({tax_inclusive ? 'inc' : 'exc'} GST)</span>
    </span>
  );
}

const SORTS = [
  { value: 'name', label: 'Item' },
  { value: 'sku', label: 'SKU' },
  { value: 'selling_price', label: 'Price' },
] as const;

const COST_SORTS = [
  { value: 'cost_price', label: 'Cost' },
  { value: 'profit_margin', label: 'Margin' },
] as const;

const define = (sorts: readonly { value: ItemSort; label: string }[]) =>
  defineListFilter<ItemSort, never>({ what: 'items', sorts, statuses: [] });

/** The order would reveal costs, so it is offered only to those who may see them. */
const withCosts = define([...SORTS, ...COST_SORTS]);
const withoutCosts = define(SORTS);

export const itemFilterFor = (seesCosts: boolean) => (seesCosts ? withCosts : withoutCosts);
