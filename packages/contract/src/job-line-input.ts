import { hasValidQuantityDecimals, MAX_QUANTITY, QUANTITY_ERRORS } from '@callout/domain/jobs/quantity';
import { z } from 'zod';
import { Id, optionalAmount, optionalLongText, optionalText, RecordVersion, requiredAmount, requiredText } from './fields.ts';

/** Input schemas for job lines. Separate from `jobs.ts`, so that forms don't load the responses and calls. */

export const Quantity = z
  .number()
  .min(1, QUANTITY_ERRORS.tooSmall)
  .max(MAX_QUANTITY, QUANTITY_ERRORS.tooLarge)
  .refine(hasValidQuantityDecimals, QUANTITY_ERRORS.notDecimal);

/** A percentage of the line or an amount, not both. */
export const discountFields = {
  discount_percent: optionalText('Discount', 10).refine(
    (text) => text === null || (/^\d{1,3}(\.\d{1,2})?$/.test(text) && Number(text) > 0 && Number(text) <= 100),
    'Discount must be more than 0 and at most 100 percent, with up to 2 decimal places',
  ),
  discount_amount: optionalAmount('Discount'),
};

interface DiscountInput {
  discount_percent: string | null;
  discount_amount: string | null;
}

const withDiscountRule = <Schema extends z.ZodType<DiscountInput>>(schema: Schema) =>
  schema.refine(({ discount_percent, discount_amount }) => discount_percent === null || discount_amount === null, {
    error: 'Please enter the discount as a percentage or as an amount, not both',
    path: ['discount_amount'],
  });

/** A price list item, or a line typed by hand, which needs a name and a price. Omitted fields are copied from the price list. */
export const NewJobLine = withDiscountRule(
  z.object({
    id: Id,
    supplier_item_id: Id.nullish().transform((id) => id ?? null),
    name: optionalText('Name', 200),
    description: optionalLongText('Description', 2000),
    tax_inclusive: z.boolean().optional(),
    is_service: z.boolean().optional(),
    quantity: Quantity.default(1),
    unit_price: optionalAmount('Unit price'),
    /** Restores the line that held the job's fixed amount. Requires 'payments.manage'. */
    is_fixed_price: z.boolean().default(false),
    ...discountFields,
  }),
).check(({ value, issues }) => {
  const addIssue = (message: string, name: string) => issues.push({ code: 'custom', message, path: [name], input: value });
  if (value.supplier_item_id !== null) return;
  if (value.name === null) addIssue('No item selected', 'supplier_item_id');
  else if (value.unit_price === null) addIssue('Unit price is required', 'unit_price');
});
export type NewJobLine = z.infer<typeof NewJobLine>;

export const UpdateJobLineInput = withDiscountRule(
  z.object({
    id: Id,
    version: RecordVersion,
    name: requiredText('Name', 200),
    quantity: Quantity,
    unit_price: requiredAmount('Unit price'),
    tax_inclusive: z.boolean(),
    is_service: z.boolean(),
    ...discountFields,
  }),
);
export type UpdateJobLineInput = z.infer<typeof UpdateJobLineInput>;

/** What happens to a job's fixed amount when it gets its first items. 'keep' turns the amount into a line named after the job. */
export const FIXED_PRICE_CHOICES = ['replace', 'keep'] as const;
export type FixedPriceChoice = (typeof FIXED_PRICE_CHOICES)[number];
