import { NewQuote } from '@callout/contract/quote-input';
import { calculateDeposit } from '@callout/domain/invoices/payment-request';
import { getCurrencySymbol } from '@callout/domain/money/currency';
import { useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { DecimalField } from '../../ui/decimal-field.tsx';
import { normalizeDecimal } from '../../ui/decimal-string.ts';
import { SelectField } from '../../ui/select-field.tsx';
import type { QuoteFormOutput, QuoteFormValues } from './quote-form.ts';

type DepositField = 'deposit_percentage' | 'deposit_amount';

const DEPOSIT_TYPES = [
  { value: 'deposit_percentage', label: 'Percent' },
  { value: 'deposit_amount', label: 'Amount' },
] as const satisfies readonly { value: DepositField; label: string }[];

interface DepositFieldsProps {
  form: UseFormReturn<QuoteFormValues, unknown, QuoteFormOutput>;
  currency: string | null | undefined;
}

/** Fields for a deposit, which is either a percentage or an amount. Switching the type keeps the typed number. */
export function DepositFields({ form, currency }: DepositFieldsProps) {
  const [percentage, amount] = useWatch({ control: form.control, name: ['deposit_percentage', 'deposit_amount'] });
  const [chosen, setChosen] = useState<DepositField>('deposit_percentage');
  const name = amount !== '' ? 'deposit_amount' : percentage !== '' ? 'deposit_percentage' : chosen;
  const isPercent = name === 'deposit_percentage';
  const changeType = (next: DepositField) => {
    setChosen(next);
    if (next === name) return;
    const change = { shouldDirty: true, shouldValidate: form.formState.isSubmitted };
    form.setValue(next, form.getValues(name), change);
    form.setValue(name, '', change);
  };
  return (
    <>
      <DecimalField
        key={name}
        label="Deposit on acceptance"
        optional
        {...form.register(name, { setValueAs: normalizeDecimal })}
        error={form.getFieldState(name, form.formState).error?.message}
        leading={isPercent ? undefined : getCurrencySymbol(currency)}
        trailing={isPercent ? '%' : undefined}
        className="sm:col-span-4"
      />
      <SelectField
        label="Deposit type"
        choices={DEPOSIT_TYPES}
        value={name}
        onChange={({ target }) => changeType(target.value === 'deposit_amount' ? 'deposit_amount' : 'deposit_percentage')}
        className="sm:col-span-3"
      />
    </>
  );
}

interface DepositFieldValues {
  readonly percentage: string;
  readonly amount: string;
}

export interface DepositPreview {
  /** The deposit that would be due if every section were accepted, as a decimal string. */
  readonly amount: string;
  /** The percentage of the accepted total, such as '30%'; null if the deposit is a fixed amount. */
  readonly share: string | null;
}

const { deposit_percentage: Percentage, deposit_amount: Amount } = NewQuote.shape;

/** Validates the deposit the same way as saving does. Returns null if there is no deposit or it isn't valid yet. */
export function calculateDepositPreview({ percentage, amount }: DepositFieldValues, total: string): DepositPreview | null {
  const [share, fixed] = [Percentage.safeParse(normalizeDecimal(percentage)), Amount.safeParse(normalizeDecimal(amount))];
  return share.success && fixed.success ? toDepositPreview({ deposit_percentage: share.data, deposit_amount: fixed.data }, total) : null;
}

export function toDepositPreview(terms: Parameters<typeof calculateDeposit>[0], total: string): DepositPreview | null {
  const amount = calculateDeposit(terms, total);
  return amount === null ? null : { amount, share: terms.deposit_percentage && `${Number(terms.deposit_percentage)}%` };
}
