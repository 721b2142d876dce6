import type { Item, ItemSort } from '@callout/contract/items';
import { formatMoney } from '@callout/domain/money/money-format';
import type { PricingMethod } from '@callout/domain/suppliers/item-pricing';
import { defineListFilter } from '../../lib/list-filter.ts';
import { useProfile } from '../company/company.api.ts';

export const PRICING_METHOD_LABELS: Record<PricingMethod, string> = { margin: 'Margin', markup: 'Markup', fixed: 'Fixed' };

export function MoneyAmount({ amount }: { amount: string }) {
  return formatMoney(amount, useProfile()?.currency);
}

export function ItemPrice({ item: { selling_price, tax_inclusive } }: { item: Pick<Item, 'selling_price' | 'tax_inclusive'> }) {
  return (
    <span className="tabular-nums">
      <MoneyAmount amount={selling_price} />
      <span className="text-sm font-normal text-ink-3"> ({tax_inclusive ? 'inc' : 'exc'} GST)</span>
    </span>
  );
}

const SORT_OPTIONS = [
  { value: 'name', label: 'Item' },
  { value: 'sku', label: 'SKU' },
  { value: 'selling_price', label: 'Price' },
] as const;

const COST_SORT_OPTIONS = [
  { value: 'cost_price', label: 'Cost' },
  { value: 'profit_margin', label: 'Margin' },
] as const;

const defineItemFilter = (sorts: readonly { value: ItemSort; label: string }[]) =>
  defineListFilter<ItemSort, never>({ pluralNoun: 'items', sorts, statuses: [] });

/** Sorting by cost would reveal costs, so only people who may see costs can sort by them. */
const filterWithCosts = defineItemFilter([...SORT_OPTIONS, ...COST_SORT_OPTIONS]);
const filterWithoutCosts = defineItemFilter(SORT_OPTIONS);

export const getItemFilter = (canViewCosts: boolean) => (canViewCosts ? filterWithCosts : filterWithoutCosts);
