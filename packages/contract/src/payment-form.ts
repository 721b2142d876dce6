import { PAYMENT_METHODS } from '@callout/domain/invoices/invoice';
import { isDecimalAmount, isStorableAmount, MAX_AMOUNT_TEXT } from '@callout/domain/money/amount';
import { z } from 'zod';
import { optionalText } from './fields.ts';

export const PaymentMethod = z.enum(PAYMENT_METHODS, 'Please choose a method');

const PaymentAmount = optionalText('Amount', 30)
  .refine((text) => text === null || (isDecimalAmount(text) && Number(text) > 0), 'Amount must be more than 0, with up to 2 decimal places')
  .refine((text) => text === null || !isDecimalAmount(text) || isStorableAmount(text), `Amount must be at most ${MAX_AMOUNT_TEXT}`);

const PaymentDate = z.iso
  .date('Please enter a date')
  .refine((date) => date >= '2000', 'The date must be in 2000 or later')
  .nullish()
  .transform((date) => date ?? null);

/** Input of the payment form. Omitted fields default to the full amount due, paid today by bank transfer. */
export const PaymentInput = z.object({
  amount: PaymentAmount,
  paid_on: PaymentDate,
  method: PaymentMethod.default('bank_transfer'),
  note: optionalText('Note', 200),
  /** Confirms an amount that is larger than what is due, or than the price of the unfinished job so far. */
  is_excess_confirmed: z.boolean().default(false),
});
export type PaymentInput = z.infer<typeof PaymentInput>;
