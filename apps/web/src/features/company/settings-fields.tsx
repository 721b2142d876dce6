import { currencySymbol } from '@callout/domain/money/currency';
import { useWatch } from 'react-hook-form';
import { CheckboxField } from '../../ui/choice-fields.tsx';
import { DecimalField } from '../../ui/decimal-field.tsx';
import { FormSection } from '../../ui/form-section.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextAreaField, TextField } from '../../ui/text-field.tsx';
import { SETTINGS_CURRENCY_CHOICES } from './currency-choices.ts';
import { SETTINGS_FIELDS, SETTINGS_LABELS, type SettingsField, zoneChoices } from './settings-values.ts';
import type { SettingsEditor } from './use-settings-editor.ts';

const EMAIL_INPUT = { type: 'email', inputMode: 'email', autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

interface SettingsFieldsProps {
  form: SettingsEditor['form'];
  storedZone: string | null;
}

export function SettingsFields({ form, storedZone }: SettingsFieldsProps) {
  const { register, control, formState } = form;
  const [currency, addFees] = useWatch({ control, name: ['currency', 'add_paypal_fees'] });
  // All of them, in the order they stand: a failed check puts the cursor into the first wrong one, also when it was shown later.
  for (const name of SETTINGS_FIELDS) register(name);
  const field = (name: SettingsField) => ({
    ...register(name),
    label: SETTINGS_LABELS[name],
    error: formState.errors[name]?.message,
  });
  return (
    <>
      <FormSection title="Company" description="How customers know and reach you. Stands on quotes, invoices and mails.">
        <TextField {...field('company_name')} autoComplete="organization" className="sm:col-span-2" />
        <TextField {...field('email')} {...EMAIL_INPUT} optional />
        <TextField {...field('phone')} type="tel" inputMode="tel" autoComplete="tel" optional />
        <SelectField
          {...field('timezone')}
          choices={zoneChoices(storedZone)}
          hint="The calendar and all bookings are shown in this zone."
          className="sm:col-span-2"
        />
        <TextAreaField {...field('address')} rows={2} autoComplete="street-address" optional className="sm:col-span-2" />
      </FormSection>
      <FormSection title="Tax Settings" description="The rate that quotes and invoices start from.">
        <TextField {...field('gst_number')} autoComplete="off" optional />
        <DecimalField {...field('gst_percentage')} step="1" trailing="%" />
      </FormSection>
      <FormSection title="Payment Settings" description="What an hour costs when a job does not say otherwise.">
        <DecimalField {...field('default_hourly_rate')} step="1" leading={currencySymbol(currency)} optional />
        <SelectField {...field('currency')} choices={SETTINGS_CURRENCY_CHOICES} />
      </FormSection>
      <FormSection title="Bank Details" description="Printed on invoices, so that customers can pay by transfer.">
        <TextField {...field('bank_name')} autoComplete="off" optional />
        <TextField {...field('bank_account_number')} autoComplete="off" inputMode="text" optional />
      </FormSection>
      <FormSection title="PayPal Settings" description="Customers can pay an invoice online to this account.">
        <TextField {...field('paypal_email')} {...EMAIL_INPUT} optional className="sm:col-span-2" />
        <CheckboxField
          {...field('add_paypal_fees')}
          hint="The customer pays what PayPal keeps, so that you receive the full amount."
          className="sm:col-span-2"
        />
        {addFees && <DecimalField {...field('paypal_fee_percentage')} step="0.1" trailing="%" />}
      </FormSection>
    </>
  );
}
