import { CustomerForm } from '@callout/contract/customers';
import { z } from 'zod';
import { type CustomerValues, withoutHiddenFields } from './customer-values.ts';

/** The contract's form, asked only about the fields that show. */
export const CustomerFormSchema = z
  .custom<CustomerValues>()
  .transform((values): z.input<typeof CustomerForm> => withoutHiddenFields(values))
  .pipe(CustomerForm);
