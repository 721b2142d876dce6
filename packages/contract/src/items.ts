import { isStorableAmount, MAX_AMOUNT_TEXT } from '@callout/domain/money/amount';
import { calculateSellingPrice, isValidMarginPercentage, PRICING_METHODS } from '@callout/domain/suppliers/item-pricing';
import { z } from 'zod';
import { defineCall } from './call.ts';
import { ERROR_STATUS, idTakenError, notFoundError, staleVersionError } from './errors.ts';
import { visibleWith } from './field-visibility.ts';
import {
  Cursor,
  Id,
  Instant,
  OutputId,
  optionalAmount,
  optionalLongText,
  optionalText,
  RecordVersion,
  requiredAmount,
  requiredText,
  SearchTerm,
} from './fields.ts';
import { idInput, listInput, matchedField, pageSchema } from './lists.ts';
import { supplierNotFoundError } from './suppliers.ts';

export const PricingMethod = z.enum(PRICING_METHODS, 'Please choose a pricing method');

/** An entry in a supplier's price list. */
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
  version: RecordVersion,
});
export type Item = z.infer<typeof Item>;

export const ItemRow = Item.extend({ matched: matchedField('name', 'sku') });
export type ItemRow = z.infer<typeof ItemRow>;

/** The fields shown when people choose an item for a job or quote. */
export const ItemSummary = Item.pick({
  id: true,
  name: true,
  sku: true,
  description: true,
  cost_price: true,
  tax_inclusive: true,
  is_service: true,
  selling_price: true,
});

export const ItemChoice = ItemSummary.extend({
  supplier: z.object({ id: OutputId, company_name: z.string() }),
  matched: matchedField('name', 'sku'),
});
export type ItemChoice = z.infer<typeof ItemChoice>;

/** An item as devices store it. Two thirds of a long price list would be descriptions. */
export const PriceListItem = ItemChoice.pick({
  id: true,
  name: true,
  sku: true,
  tax_inclusive: true,
  is_service: true,
  selling_price: true,
  supplier: true,
});
export type PriceListItem = z.infer<typeof PriceListItem>;
export const MAX_PRICE_LIST_ITEMS = 5_000;
const MAX_REVISION_LENGTH = 100;

const MARGIN_PATTERN = /^\d{1,3}(\.\d)?$/;

const itemFields = {
  name: requiredText('Name', 200),
  sku: requiredText('SKU', 100),
  description: optionalLongText('Description', 2000),
  cost_price: requiredAmount('Cost price'),
  pricing_method: PricingMethod,
  margin_percentage: optionalText('Margin percentage', 10).refine(
    (text) => text === null || (MARGIN_PATTERN.test(text) && isValidMarginPercentage(text)),
    'Margin percentage must be a number from 0 to 100, with up to 1 decimal place',
  ),
  markup_amount: optionalAmount('Markup amount'),
  fixed_price: optionalAmount('Fixed price'),
  tax_inclusive: z.boolean(),
  is_service: z.boolean(),
};

const PRICE_FIELD_BY_METHOD = {
  margin: { field: 'margin_percentage', label: 'Margin percentage' },
  markup: { field: 'markup_amount', label: 'Markup amount' },
  fixed: { field: 'fixed_price', label: 'Fixed price' },
} as const;

type ItemFields = z.infer<z.ZodObject<typeof itemFields>>;

const withPriceRule = <Schema extends z.ZodType<ItemFields>>(schema: Schema) =>
  schema.check(({ value, issues }) => {
    const { field, label } = PRICE_FIELD_BY_METHOD[value.pricing_method];
    const addIssue = (message: string, name: string) => issues.push({ code: 'custom', message, path: [name], input: value });
    if (value[field] === null) addIssue(`${label} is required`, field);
    // Check only if all fields are valid, because the price is calculated from them.
    else if (issues.length === 0 && !isStorableAmount(calculateSellingPrice(value)))
      addIssue(`The selling price must be at most ${MAX_AMOUNT_TEXT}`, field);
  });

export const NewItem = withPriceRule(z.object({ id: Id, supplier_id: Id, ...itemFields }));
export type NewItem = z.infer<typeof NewItem>;

export const UpdateItemInput = withPriceRule(z.object({ id: Id, version: RecordVersion, ...itemFields }));
export type UpdateItemInput = z.infer<typeof UpdateItemInput>;

export const ItemInput = withPriceRule(z.object(itemFields));
export type ItemInput = z.infer<typeof ItemInput>;

export const ITEM_SORTS = ['name', 'sku', 'cost_price', 'selling_price', 'profit_margin'] as const;
export const ItemSort = z.enum(ITEM_SORTS);
export type ItemSort = z.infer<typeof ItemSort>;

/** Sorts that require 'costs.view', because the order of the items would reveal their costs. */
export const COST_SORTS: readonly ItemSort[] = ['cost_price', 'profit_margin'];

export const ItemListInput = listInput({ supplier_id: Id }, ItemSort.default('name'));

export const itemNotFoundError = notFoundError('Item not found');
export const skuTakenError = {
  SKU_TAKEN: { status: ERROR_STATUS.SKU_TAKEN, message: 'An item with this SKU already exists' },
} as const;

export const items = {
  list: defineCall('work.view')
    .route({ method: 'GET', path: '/items', summary: "List a supplier's items", tags: ['items'] })
    .input(ItemListInput)
    .output(pageSchema(ItemRow))
    .errors(supplierNotFoundError),

  search: defineCall('work.view')
    .route({ method: 'GET', path: '/items/search', summary: "Search all suppliers' items by name or SKU", tags: ['items'] })
    .input(z.object({ search: SearchTerm.optional(), cursor: Cursor.optional() }))
    .output(pageSchema(ItemChoice)),

  /** For choosing items without a connection. Contains the first items by name if the price list is very long. */
  priceList: defineCall('work.view')
    .route({
      method: 'GET',
      path: '/items/price-list',
      summary: "Get all active suppliers' items in a short form, unless nothing has changed since `revision`",
      tags: ['items'],
    })
    .input(z.object({ revision: z.string().max(MAX_REVISION_LENGTH).optional() }))
    .output(
      z.object({
        revision: z.string(),
        /** Null if the price list still has the revision that the caller knows. */
        items: z.array(PriceListItem).nullable(),
      }),
    ),

  get: defineCall('work.view')
    .route({ method: 'GET', path: '/items/{id}', summary: 'Get an item', tags: ['items'] })
    .input(idInput)
    .output(Item)
    .errors(itemNotFoundError),

  create: defineCall('items.edit')
    .route({ method: 'POST', path: '/items', summary: 'Add an item under a client-generated id', tags: ['items'], successStatus: 201 })
    .input(NewItem)
    .output(Item)
    .errors({ ...supplierNotFoundError, ...idTakenError, ...skuTakenError }),

  update: defineCall('items.edit')
    .route({ method: 'PUT', path: '/items/{id}', summary: 'Update an item, given its current version', tags: ['items'] })
    .input(UpdateItemInput)
    .output(Item)
    .errors({ ...itemNotFoundError, ...skuTakenError, ...staleVersionError(Item) }),

  remove: defineCall('items.edit')
    .route({ method: 'DELETE', path: '/items/{id}', summary: 'Delete an item but keep job and quote lines', tags: ['items'] })
    .input(idInput)
    .output(z.object({}))
    .errors(itemNotFoundError),
};
