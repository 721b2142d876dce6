import { type Me, Onboarding } from '@callout/contract/company';
import { CURRENCIES, currencySymbol, ONBOARDING_CURRENCY } from '@callout/domain/money/currency';
import { DEFAULT_TAX_RATE } from '@callout/domain/tax/tax';
import { browserTimeZone } from '../../lib/time-zone.ts';
import { useLastingForm } from '../../lib/use-lasting-draft.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Button } from '../../ui/button.tsx';
import { DecimalField } from '../../ui/decimal-field.tsx';
import { readDecimal } from '../../ui/decimal-text.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { UnsavedChanges } from '../../ui/unsaved-changes.tsx';
import { useCompleteOnboarding } from './company-settings.api.ts';

const CURRENCY_CHOICES = CURRENCIES.map((code) => ({ value: code, label: `${code} (${currencySymbol(code)})` }));

/** The page navigates away once the company exists. */
export function OnboardingForm({ me: { user, profile } }: { me: Me }) {
  const complete = useCompleteOnboarding(profile ? 'Error saving profile' : 'Error creating profile');
  const { form, submit, saving, isDirty, onLeaving, isLeftBehind } = useServerForm({
    schema: Onboarding,
    defaultValues: {
      company_name: profile?.company_name ?? '',
      name: '',
      phone: profile?.phone ?? '',
      gst_number: profile?.gst_number ?? '',
      gst_percentage: profile?.gst_percentage ?? DEFAULT_TAX_RATE,
      paypal_email: profile?.paypal_email ?? '',
      currency: profile?.currency ?? ONBOARDING_CURRENCY,
      timezone: profile?.timezone ?? browserTimeZone(),
    },
    save: (onboarding) => complete.mutateAsync(onboarding),
  });
  const { isFull } = useLastingForm(form, { person: user.id, isLeftBehind });
  const { register, formState } = form;
  const errors = formState.errors;
  return (
    <form noValidate onSubmit={submit} className="grid items-start gap-4 sm:grid-cols-2 lg:gap-5">
      <TextField {...register('company_name')} label="Company name" autoComplete="organization" error={errors.company_name?.message} />
      <TextField {...register('name')} label="Your name" optional autoComplete="name" error={errors.name?.message} />
      <TextField {...register('phone')} label="Phone" type="tel" inputMode="tel" autoComplete="tel" error={errors.phone?.message} />
      <SelectField {...register('currency')} label="Currency" choices={CURRENCY_CHOICES} error={errors.currency?.message} />
      <TextField {...register('gst_number')} label="GST/VAT number" autoComplete="off" error={errors.gst_number?.message} />
      <DecimalField
        {...register('gst_percentage', { setValueAs: readDecimal })}
        label="GST percentage"
        step="1"
        trailing="%"
        error={errors.gst_percentage?.message}
      />
      <TextField
        {...register('paypal_email')}
        label="PayPal email"
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        hint={errors.paypal_email ? undefined : 'Customers pay your invoices to this account.'}
        error={errors.paypal_email?.message}
        className="sm:col-span-2"
      />
      <Button type="submit" tone="primary" wide busy={saving} className="sm:col-span-2">
        {saving ? 'Saving…' : 'Save and continue'}
      </Button>
      <UnsavedChanges isDirty={isDirty} saving={saving} onLeaving={onLeaving} outlivesTab={!isFull} />
    </form>
  );
}
