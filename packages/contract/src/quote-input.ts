import { MAX_QUANTITY } from '@callout/domain/jobs/quantity';
import { MAX_QUOTE_LINES, MAX_SECTIONS } from '@callout/domain/quotes/quote';
import { formatCount } from '@callout/domain/text/count-text';
import { z } from 'zod';
import { Id, optionalAmount, optionalLines, optionalText, requiredAmount, requiredLines, requiredText, Version } from './fields.ts';

/** What a person may write into a quote and its mail. Apart from the answers and calls in `quotes.ts`, which no form needs. */

const QUANTITY = /^\d{1,7}(\.\d{1,3})?$/;
/** Exact text with at most 3 decimals, at least 1. */
export const QuoteQuantity = requiredText('Quantity', 20)
  .refine((text) => text === '' || QUANTITY.test(text), 'Quantity must be a number with up to 3 decimal places')
  .refine((text) => !QUANTITY.test(text) || Number(text) >= 1, 'Quantity must be at least 1')
  .refine((text) => !QUANTITY.test(text) || Number(text) <= MAX_QUANTITY, `Quantity must be at most ${formatCount(MAX_QUANTITY)}`);

/** What a person may set of a line. Cost, SKU and supplier are taken from the price list when the line is first saved, and kept. */
export const QuoteLineInput = z.object({
  id: Id,
  supplier_item_id: Id.nullable(),
  name: requiredText('Name', 200),
  description: optionalLines('Description', 2000),
  tax_inclusive: z.boolean(),
  is_service: z.boolean(),
  quantity: QuoteQuantity,
  unit_price: requiredAmount('Unit price'),
});
export type QuoteLineInput = z.infer<typeof QuoteLineInput>;

export const QuoteSectionInput = z.object({
  id: Id,
  name: requiredText('Section name', 200, 'Please enter a section name'),
  description: optionalLines('Description', 2000),
  always_required: z.boolean().default(false),
  items: z.array(QuoteLineInput).max(MAX_QUOTE_LINES, `At most ${MAX_QUOTE_LINES} items`),
});
export type QuoteSectionInput = z.infer<typeof QuoteSectionInput>;

export const MAX_QUOTE_FILES = 20;

const Sections = z
  .array(QuoteSectionInput)
  .min(1, 'At least one section is required')
  .max(MAX_SECTIONS, `At most ${MAX_SECTIONS} sections`)
  .refine(
    (sections) => sections.reduce((count, { items }) => count + items.length, 0) <= MAX_QUOTE_LINES,
    `At most ${MAX_QUOTE_LINES} items`,
  )
  .refine(hasDifferentIds, 'Every section and item needs an id of its own');

function hasDifferentIds(sections: readonly QuoteSectionInput[]): boolean {
  const sectionIds = sections.map(({ id }) => id);
  const lineIds = sections.flatMap(({ items }) => items.map(({ id }) => id));
  return new Set(sectionIds).size === sectionIds.length && new Set(lineIds).size === lineIds.length;
}

const ValidUntil = z.iso
  .date('Please enter a date')
  .refine((date) => date >= '2000' && date < '2200', 'Valid until must be between 2000 and 2199')
  .nullable();

const DepositPercentage = optionalText('Deposit', 10).refine(
  (text) => text === null || (/^\d{1,3}(\.\d{1,2})?$/.test(text) && Number(text) > 0 && Number(text) <= 100),
  'Deposit must be more than 0 and at most 100 percent, with up to 2 decimal places',
);

const withDeposit = <Schema extends z.ZodType<{ deposit_percentage: string | null; deposit_amount: string | null }>>(schema: Schema) =>
  schema.refine(({ deposit_percentage, deposit_amount }) => deposit_percentage === null || deposit_amount === null, {
    error: 'Please enter the deposit as a percentage or as an amount, not both',
    path: ['deposit_amount'],
  });

const quoteFields = {
  title: requiredText('Title', 200),
  description: optionalLines('Description', 10_000),
  valid_until: ValidUntil,
  /** Asked for on acceptance; at most one of the two. */
  deposit_percentage: DepositPercentage,
  deposit_amount: optionalAmount('Deposit'),
  sections: Sections,
  /** Exactly these files belong to it afterwards, in this order. */
  attachment_ids: z
    .array(Id)
    .max(MAX_QUOTE_FILES, `At most ${MAX_QUOTE_FILES} files`)
    .transform((ids) => [...new Set(ids)]),
};

export const NewQuote = withDeposit(z.object({ id: Id, customer_id: z.uuid('Customer is required').toLowerCase(), ...quoteFields }));
export type NewQuote = z.infer<typeof NewQuote>;

/** Sections and items that keep their id are changed, others added; those that are missing are removed. */
export const QuoteChange = withDeposit(z.object({ id: Id, version: Version, ...quoteFields }));
export type QuoteChange = z.infer<typeof QuoteChange>;

/** What a mail to the customer says above the button; its subject and text can be changed before it is sent. */
export const QuoteMailInput = z.object({
  /** Made by the client, so that a repeated request sends one mail. */
  mail_id: Id,
  subject: requiredText('Subject', 200),
  body: requiredLines('Message', 5000),
});
