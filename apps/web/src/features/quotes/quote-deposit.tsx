import { NewQuote } from '@callout/contract/quote-input';
import { depositOf } from '@callout/domain/invoices/payment-request';
import { currencySymbol } from '@callout/domain/money/currency';
import { useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { DecimalField } from '../../ui/decimal-field.tsx';
import { readDecimal } from '../../ui/decimal-text.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { useProfile } from '../company/company.api.ts';
import type { QuoteFormOutput, QuoteValues } from './quote-form.ts';

type DepositField = 'deposit_percentage' | 'deposit_amount';

const KINDS = [
  { value: 'deposit_percentage', label: 'Percent' },
  { value: 'deposit_amount', label: 'Amount' },
] as const satisfies readonly { value: DepositField; label: string }[];

/** One number, as a percentage or as an amount: never both. What was typed stays when the other is chosen. */
export function DepositFields({ form }: { form: UseFormReturn<QuoteValues, unknown, QuoteFormOutput> }) {
  const [percentage, amount] = useWatch({ control: form.control, name: ['deposit_percentage', 'deposit_amount'] });
  const [chosen, setChosen] = useState<DepositField>('deposit_percentage');
  const currency = useProfile()?.currency;
  const name = amount !== '' ? 'deposit_amount' : percentage !== '' ? 'deposit_percentage' : chosen;
  const isPercent = name === 'deposit_percentage';
  const choose = (next: DepositField) => {
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
        {...form.register(name, { setValueAs: readDecimal })}
        error={form.getFieldState(name, form.formState).error?.message}
        leading={isPercent ? undefined : currencySymbol(currency)}
        trailing={isPercent ? '%' : undefined}
        className="sm:col-span-4"
      />
      <SelectField
        label="Deposit type"
        choices={KINDS}
        value={name}
        onChange={({ target }) => choose(target.value === 'deposit_amount' ? 'deposit_amount' : 'deposit_percentage')}
        className="sm:col-span-3"
      />
    </>
  );
}

interface TypedDeposit {
  readonly percentage: string;
  readonly amount: string;
}

export interface ShownDeposit {
  /** Exact money, of everything that is offered. */
  readonly amount: string;
  /** '30%', where it follows what the customer accepts. */
  readonly share: string | null;
}

const { deposit_percentage: Percentage, deposit_amount: Amount } = NewQuote.shape;

/** By the rules of saving; null while it cannot be read, and without one. */
export function typedDeposit({ percentage, amount }: TypedDeposit, total: string): ShownDeposit | null {
  const [share, fixed] = [Percentage.safeParse(readDecimal(percentage)), Amount.safeParse(readDecimal(amount))];
  return share.success && fixed.success ? shownDeposit({ deposit_percentage: share.data, deposit_amount: fixed.data }, total) : null;
}

export function shownDeposit(terms: Parameters<typeof depositOf>[0], total: string): ShownDeposit | null {
  const amount = depositOf(terms, total);
  return amount === null ? null : { amount, share: terms.deposit_percentage && `${Number(terms.deposit_percentage)}%` };
}
