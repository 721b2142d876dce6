import { isStorableAmount, MAX_AMOUNT_TEXT } from '@callout/domain/money/amount';
import { isMarginPercentage, PRICING_METHODS, sellingPrice } from '@callout/domain/suppliers/item-pricing';
import { z } from 'zod';
import { call } from './call.ts';
import { errorStatus, idTaken, notFound, staleVersion } from './errors.ts';
import {
  Cursor,
  Id,
  Instant,
  OutputId,
  optionalAmount,
  optionalLines,
  optionalText,
  requiredAmount,
  requiredText,
  Search,
  Version,
} from './fields.ts';
import { byId, listInput, pageOf, searchMatch } from './lists.ts';
import { supplierNotFound } from './suppliers.ts';
import { visibleWith } from './visibility.ts';

export const PricingMethod = z.enum(PRICING_METHODS, 'Please choose a pricing method');

/** An entry of a supplier's price list. */
export const Item = z.object({
  id: OutputId,
  supplier_id: OutputId,
  name: z.string(),
  sku: z.string(),
  description: z.string().nullable(),
  pricing_method: PricingMethod,
  cost_price: visibleWith('costs.view', z.string()),
  margin_percentage: visibleWith('costs.view', z.string().nullable()),
  markup_amount: visibleWith('costs.view', z.string().nullable()),
  fixed_price: z.string().nullable(),
  tax_inclusive: z.boolean(),
  is_service: z.boolean(),
  selling_price: z.string(),
  profit_margin: visibleWith('costs.view', z.string()),
  created_at: Instant,
  updated_at: Instant,
  version: Version,
});
export type Item = z.infer<typeof Item>;

export const ItemRow = Item.extend({ matched: searchMatch('name', 'sku') });
export type ItemRow = z.infer<typeof ItemRow>;

/** What is shown where an item is picked for a job or a quote. */
export const PickedItem = Item.pick({
  id: true,
  name: true,
  sku: true,
  description: true,
  cost_price: true,
  tax_inclusive: true,
  is_service: true,
  selling_price: true,
});

export const ItemChoice = PickedItem.extend({
  supplier: z.object({ id: OutputId, company_name: z.string() }),
  matched: searchMatch('name', 'sku'),
});
export type ItemChoice = z.infer<typeof ItemChoice>;

const MARGIN = /^\d{1,3}(\.\d)?$/;

const itemFields = {
  name: requiredText('Name', 200),
  sku: requiredText('SKU', 100),
  description: optionalLines('Description', 2000),
  cost_price: requiredAmount('Cost price'),
  pricing_method: PricingMethod,
  margin_percentage: optionalText('Margin percentage', 10).refine(
    (text) => text === null || (MARGIN.test(text) && isMarginPercentage(text)),
    'Margin percentage must be a number from 0 to 100, with up to 1 decimal place',
  ),
  markup_amount: optionalAmount('Markup amount'),
  fixed_price: optionalAmount('Fixed price'),
  tax_inclusive: z.boolean(),
  is_service: z.boolean(),
};

const AMOUNT_OF_METHOD = {
  margin: { field: 'margin_percentage', label: 'Margin percentage' },
  markup: { field: 'markup_amount', label: 'Markup amount' },
  fixed: { field: 'fixed_price', label: 'Fixed price' },
} as const;

type PricedFields = z.infer<z.ZodObject<typeof itemFields>>;

const withPrice = <Schema extends z.ZodType<PricedFields>>(schema: Schema) =>
  schema.check(({ value, issues }) => {
    const { field, label } = AMOUNT_OF_METHOD[value.pricing_method];
    const report = (message: string, name: string) => issues.push({ code: 'custom', message, path: [name], input: value });
    if (value[field] === null) report(`${label} is required`, field);
    // With a value that was refused there is no price.
    else if (issues.length === 0 && !isStorableAmount(sellingPrice(value)))
      report(`The selling price must be at most ${MAX_AMOUNT_TEXT}`, field);
  });

export const NewItem = withPrice(z.object({ id: Id, supplier_id: Id, ...itemFields }));
export type NewItem = z.infer<typeof NewItem>;

export const ItemChange = withPrice(z.object({ id: Id, version: Version, ...itemFields }));
export type ItemChange = z.infer<typeof ItemChange>;

export const ItemForm = withPrice(z.object(itemFields));
export type ItemForm = z.infer<typeof ItemForm>;

export const ITEM_SORTS = ['name', 'sku', 'cost_price', 'selling_price', 'profit_margin'] as const;
export const ItemSort = z.enum(ITEM_SORTS);
export type ItemSort = z.infer<typeof ItemSort>;

/** The order would reveal what the role may not see, so these sorts need 'costs.view'. */
export const COST_SORTS: readonly ItemSort[] = ['cost_price', 'profit_margin'];

export const ItemListInput = listInput({ supplier_id: Id }, ItemSort.default('name'));

export const itemNotFound = notFound('Item not found');
export const skuTaken = {
  SKU_TAKEN: { status: errorStatus.SKU_TAKEN, message: 'An item with this SKU already exists' },
} as const;

export const items = {
  list: call('work.view')
    .route({ method: 'GET', path: '/items', summary: "A page of a supplier's items", tags: ['items'] })
    .input(ItemListInput)
    .output(pageOf(ItemRow))
    .errors(supplierNotFound),

  search: call('work.view')
    .route({ method: 'GET', path: '/items/search', summary: 'Items of all suppliers by name or SKU, to pick one', tags: ['items'] })
    .input(z.object({ search: Search.optional(), cursor: Cursor.optional() }))
    .output(pageOf(ItemChoice)),

  get: call('work.view')
    .route({ method: 'GET', path: '/items/{id}', summary: 'One item', tags: ['items'] })
    .input(byId)
    .output(Item)
    .errors(itemNotFound),

  create: call('items.edit')
    .route({ method: 'POST', path: '/items', summary: 'Add an item under a client-made id', tags: ['items'], successStatus: 201 })
    .input(NewItem)
    .output(Item)
    .errors({ ...supplierNotFound, ...idTaken, ...skuTaken }),

  update: call('items.edit')
    .route({ method: 'PUT', path: '/items/{id}', summary: 'Change an item from a version', tags: ['items'] })
    .input(ItemChange)
    .output(Item)
    .errors({ ...itemNotFound, ...skuTaken, ...staleVersion(Item) }),

  remove: call('items.edit')
    .route({ method: 'DELETE', path: '/items/{id}', summary: 'Delete an item; lines of jobs and quotes stay', tags: ['items'] })
    .input(byId)
    .output(z.object({}))
    .errors(itemNotFound),
};
