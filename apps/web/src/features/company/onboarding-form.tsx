import { type Me, Onboarding } from '@callout/contract/company';
import { CURRENCIES, DEFAULT_ONBOARDING_CURRENCY, getCurrencySymbol } from '@callout/domain/money/currency';
import { DEFAULT_TAX_RATE } from '@callout/domain/tax/tax';
import { getBrowserTimeZone } from '../../lib/time-zone.ts';
import { usePersistentFormDraft } from '../../lib/use-persistent-draft.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Button } from '../../ui/button.tsx';
import { DecimalField } from '../../ui/decimal-field.tsx';
import { normalizeDecimal } from '../../ui/decimal-string.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { UnsavedChangesPrompt } from '../../ui/unsaved-changes-prompt.tsx';
import { useCompleteOnboarding } from './company-settings.api.ts';

const CURRENCY_CHOICES = CURRENCIES.map((code) => ({ value: code, label: `${code} (${getCurrencySymbol(code)})` }));

/** Sets up the company. Doesn't navigate afterwards, because the page does so as soon as the company exists. */
export function OnboardingForm({ me: { user, profile } }: { me: Me }) {
  const complete = useCompleteOnboarding(profile ? 'Error saving profile' : 'Error creating profile');
  const { form, submit, saving, isDirty, onLeaving, isAbandoned } = useServerForm({
    schema: Onboarding,
    defaultValues: {
      company_name: profile?.company_name ?? '',
      name: '',
      phone: profile?.phone ?? '',
      gst_number: profile?.gst_number ?? '',
      gst_percentage: profile?.gst_percentage ?? DEFAULT_TAX_RATE,
      paypal_email: profile?.paypal_email ?? '',
      currency: profile?.currency ?? DEFAULT_ONBOARDING_CURRENCY,
      timezone: profile?.timezone ?? getBrowserTimeZone(),
    },
    save: (onboarding) => complete.mutateAsync(onboarding),
  });
  const { isStorageFull } = usePersistentFormDraft(form, { person: user.id, isAbandoned });
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
        {...register('gst_percentage', { setValueAs: normalizeDecimal })}
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
        hint={errors.paypal_email ? undefined : 'Online invoice payments go to this account.'}
        error={errors.paypal_email?.message}
        className="sm:col-span-2"
      />
      <Button type="submit" tone="primary" fullWidth busy={saving} className="sm:col-span-2">
        {saving ? 'Saving…' : 'Save and continue'}
      </Button>
      <UnsavedChangesPrompt isDirty={isDirty} saving={saving} onLeavingChange={onLeaving} isDraftStored={!isStorageFull} />
    </form>
  );
}
