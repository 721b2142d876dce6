import { CompanySettingsInput, type Profile } from '@callout/contract/company';
import { DEFAULT_FEE_PERCENTAGE } from '@callout/domain/fees/payment-fee';
import { REMINDER_PLACEHOLDERS } from '@callout/domain/invoices/invoice-reminder';
import { DEFAULT_SETTINGS_CURRENCY, getCurrencySymbol, SETTINGS_CURRENCIES } from '@callout/domain/money/currency';
import { DEFAULT_TAX_RATE } from '@callout/domain/tax/tax';
import { findTimeZoneOption, getTimeZoneOptions } from '@callout/domain/time/time-zones';
import { defineForm } from '../../lib/form-definition.ts';
import { getBrowserTimeZone } from '../../lib/time-zone.ts';

const CURRENCY_CHOICES = SETTINGS_CURRENCIES.map((code) => ({ value: code, label: `${code} (${getCurrencySymbol(code)})` }));

const isReminderDisabled = ({ invoice_reminder_days: days }: { invoice_reminder_days: string }) => days.trim() === '';

export const settingsForm = defineForm({
  schema: CompanySettingsInput,
  // Shows defaults for settings that were never saved.
  fromRecord: (profile: Profile) => ({
    ...profile,
    timezone: findTimeZoneOption(profile.timezone ?? getBrowserTimeZone())?.zone ?? 'UTC',
    gst_percentage: profile.gst_percentage ?? DEFAULT_TAX_RATE,
    currency: profile.currency ?? DEFAULT_SETTINGS_CURRENCY,
    paypal_fee_percentage: profile.paypal_fee_percentage ?? DEFAULT_FEE_PERCENTAGE,
  }),
  fields: {
    company_name: { label: 'Company Name', width: 'full' },
    email: { label: 'Company Email', input: 'email' },
    phone: { label: 'Phone', input: 'phone' },
    timezone: { label: 'Timezone', input: 'select', width: 'full', hint: 'All dates and times are shown in this time zone.' },
    address: { label: 'Address', input: 'lines', width: 'full' },
    gst_number: { label: 'GST/VAT number' },
    gst_percentage: { label: 'GST percentage', input: 'decimal' },
    default_hourly_rate: { label: 'Default hourly rate', input: 'decimal' },
    currency: { label: 'Currency', input: 'select', choices: CURRENCY_CHOICES },
    bank_name: { label: 'Bank name' },
    bank_account_number: { label: 'Account number' },
    paypal_email: { label: 'PayPal email', input: 'email', width: 'full' },
    add_paypal_fees: {
      label: 'Add fees to online payments',
      width: 'full',
      hint: "Adds PayPal's fee to the invoice so you receive the full amount.",
    },
    paypal_fee_percentage: {
      label: 'Fee percentage',
      input: 'decimal',
      initial: DEFAULT_FEE_PERCENTAGE,
      hiddenWhen: ({ add_paypal_fees: addsFees }) => !addsFees,
      submitWhenHidden: true,
    },
    quote_reminder_days: {
      label: 'Remind customers about unanswered quotes after (days)',
      input: 'decimal',
      width: 'full',
      hint: "We email the customer once, unless they've answered or the quote has expired. Leave empty to send no reminders.",
    },
    payment_terms_days: {
      label: 'Payment terms (days)',
      input: 'decimal',
      hint: "Number of days from sending an invoice until it's due. Leave empty to use the booking date.",
    },
    invoice_reminder_days: {
      label: 'Remind customers about overdue invoices after (days)',
      input: 'decimal',
      width: 'full',
      hint: 'We email the customer once about each overdue invoice, unless it has been paid. Leave empty to send no reminders.',
    },
    invoice_reminder_subject: { label: 'Reminder subject', width: 'full', hiddenWhen: isReminderDisabled, submitWhenHidden: true },
    invoice_reminder_body: {
      label: 'Reminder text',
      input: 'lines',
      width: 'full',
      hint: `We fill in ${REMINDER_PLACEHOLDERS.join(', ')} and add a button that opens the invoice. Leave the subject and text empty to use the default wording.`,
      hiddenWhen: isReminderDisabled,
      submitWhenHidden: true,
    },
  },
});

/** Returns the 14 listed time zones, plus the stored zone and the browser's zone if they aren't among them. */
export function getTimeZoneChoices(storedZone: string | null, browserZone = getBrowserTimeZone()): { value: string; label: string }[] {
  const options = new Map([...getTimeZoneOptions(storedZone), ...getTimeZoneOptions(browserZone)].map(({ zone, label }) => [zone, label]));
  return [...options].map(([value, label]) => ({ value, label: value === 'UTC' ? label : `${label} (${value})` }));
}
