import { currencySymbol } from '@callout/domain/money/currency';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { RadioCards } from '../../ui/choice-fields.tsx';
import { DecimalField } from '../../ui/decimal-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useProfile } from '../company/company.api.ts';
import { ROLE_CHOICES } from './role-choices.ts';

export type StaffInput = 'name' | 'email' | 'phone' | 'hourly_rate' | 'role';

interface StaffFormFieldsProps {
  labels: Record<StaffInput, string>;
  register: (name: StaffInput) => UseFormRegisterReturn;
  errors: Partial<Record<StaffInput, { message?: string | undefined }>>;
  emailHint?: string | undefined;
}

/** What an invitation and a member have in common. */
export function StaffFormFields({ labels, register, errors, emailHint }: StaffFormFieldsProps) {
  const symbol = currencySymbol(useProfile()?.currency);
  const field = (name: StaffInput) => ({ ...register(name), label: labels[name], error: errors[name]?.message });
  return (
    <>
      <TextField {...field('name')} autoComplete="off" />
      {/* Another person's address: the browser must not fill in our own. */}
      <TextField
        {...field('email')}
        type="email"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint={errors.email ? undefined : emailHint}
      />
      <TextField {...field('phone')} type="tel" inputMode="tel" autoComplete="off" />
      <DecimalField {...field('hourly_rate')} step="1" leading={symbol} trailing="/hr" />
      <RadioCards {...field('role')} choices={ROLE_CHOICES} className="sm:col-span-2" />
    </>
  );
}
