import { type Item, ItemInput } from '@callout/contract/items';
import { type Supplier, SupplierInput } from '@callout/contract/suppliers';
import { isZeroAmount } from '@callout/domain/money/money';
import {
  calculateProfitMargin,
  calculateSellingPrice,
  DEFAULT_MARGIN_PERCENTAGE,
  PRICING_METHODS,
} from '@callout/domain/suppliers/item-pricing';
import { defineForm } from '../../lib/form-definition.ts';
import { PRICING_METHOD_LABELS } from './item-price.tsx';

export const supplierForm = defineForm({
  schema: SupplierInput,
  fromRecord: (supplier: Supplier) => supplier,
  fields: {
    company_name: { label: 'Company name', width: 'full' },
    email: { label: 'Email', input: 'email' },
    phone: { label: 'Phone', input: 'phone' },
    status: {
      label: 'Status',
      input: 'radio',
      choices: [
        { value: 'active', label: 'Active' },
        { value: 'inactive', label: 'Inactive' },
      ],
      initial: 'active',
      editOnly: true,
      width: 'full',
    },
    address: { label: 'Street address', input: 'address', width: 'full' },
    city: { label: 'City' },
    state: { label: 'State' },
    postal_code: { label: 'Postal code' },
    country: { label: 'Country' },
  },
});

/** Hides an amount unless it belongs to the selected pricing method. Hidden amounts aren't submitted. */
const isNotPricedBy = (method: string) => (values: { pricing_method: string }) => values.pricing_method !== method;

export const itemForm = defineForm({
  schema: ItemInput,
  fromRecord: ({ cost_price = '', margin_percentage = null, markup_amount = null, ...item }: Item) => ({
    ...item,
    cost_price,
    margin_percentage,
    markup_amount,
  }),
  fields: {
    name: { label: 'Name', width: 'full' },
    sku: { label: 'SKU' },
    cost_price: { label: 'Cost price', input: 'decimal', initial: '0' },
    pricing_method: {
      label: 'Pricing method',
      input: 'radio',
      choices: PRICING_METHODS.map((value) => ({ value, label: PRICING_METHOD_LABELS[value] })),
      initial: 'margin',
      width: 'full',
    },
    margin_percentage: {
      label: 'Margin percentage',
      input: 'decimal',
      optional: false,
      initial: DEFAULT_MARGIN_PERCENTAGE,
      width: 'full',
      hiddenWhen: isNotPricedBy('margin'),
    },
    markup_amount: { label: 'Markup amount', input: 'decimal', optional: false, width: 'full', hiddenWhen: isNotPricedBy('markup') },
    fixed_price: { label: 'Fixed price', input: 'decimal', optional: false, width: 'full', hiddenWhen: isNotPricedBy('fixed') },
    tax_inclusive: { label: 'Price includes GST', initial: true },
    is_service: { label: 'This is a service' },
    description: { label: 'Description', input: 'lines', width: 'full' },
  },
});

/** Calculates price and margin as saving would. Returns null while a number is invalid. `margin` is null if cost and price are 0. */
export function calculatePricePreview(values: typeof itemForm.initial): { price: string; margin: string | null } | null {
  const { data } = itemForm.schema.safeParse({ ...values, name: 'any', sku: 'any', description: '' });
  if (!data) return null;
  const price = calculateSellingPrice(data);
  return { price, margin: isZeroAmount(price) && isZeroAmount(data.cost_price) ? null : calculateProfitMargin(data) };
}
