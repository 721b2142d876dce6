import { CompanySettingsForm } from '@callout/contract/company';
import { DEFAULT_FEE_PERCENTAGE } from '@callout/domain/fees/payment-fee';
import { z } from 'zod';
import type { SettingsValues } from './settings-values.ts';

const Fee = CompanySettingsForm.shape.paypal_fee_percentage;

/** A fee that does not show is not asked about: a wrong one gives way to the usual one. */
export function withoutHiddenFee(values: SettingsValues): SettingsValues {
  if (values.add_paypal_fees || Fee.safeParse(values.paypal_fee_percentage).success) return values;
  return { ...values, paypal_fee_percentage: DEFAULT_FEE_PERCENTAGE };
}

export const SettingsFormSchema = z
  .custom<SettingsValues>()
  .transform((values): z.input<typeof CompanySettingsForm> => withoutHiddenFee(values))
  .pipe(CompanySettingsForm);
