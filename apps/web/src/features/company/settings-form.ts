import { CompanySettingsForm, type Profile } from '@callout/contract/company';
import { DEFAULT_FEE_PERCENTAGE } from '@callout/domain/fees/payment-fee';
import { REMINDER_PLACEHOLDERS } from '@callout/domain/invoices/invoice-reminder';
import { currencySymbol, SETTINGS_CURRENCIES, SETTINGS_CURRENCY } from '@callout/domain/money/currency';
import { DEFAULT_TAX_RATE } from '@callout/domain/tax/tax';
import { listedTimeZone, timeZoneOptions } from '@callout/domain/time/time-zones';
import { defineForm } from '../../lib/form-definition.ts';
import { browserTimeZone } from '../../lib/time-zone.ts';

const CURRENCY_CHOICES = SETTINGS_CURRENCIES.map((code) => ({ value: code, label: `${code} (${currencySymbol(code)})` }));

const sendsNoReminders = ({ invoice_reminder_days: days }: { invoice_reminder_days: string }) => days.trim() === '';

export const settingsForm = defineForm({
  schema: CompanySettingsForm,
  // Until they are saved for the first time, the settings show the defaults.
  from: (profile: Profile) => ({
    ...profile,
    timezone: listedTimeZone(profile.timezone ?? browserTimeZone())?.zone ?? 'UTC',
    gst_percentage: profile.gst_percentage ?? DEFAULT_TAX_RATE,
    currency: profile.currency ?? SETTINGS_CURRENCY,
    paypal_fee_percentage: profile.paypal_fee_percentage ?? DEFAULT_FEE_PERCENTAGE,
  }),
  fields: {
    company_name: { label: 'Company Name', width: 'full' },
    email: { label: 'Company Email', input: 'email' },
    phone: { label: 'Phone', input: 'phone' },
    timezone: { label: 'Timezone', input: 'select', width: 'full', hint: 'The calendar and all bookings are shown in this time zone.' },
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
      keepHidden: true,
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
      hint: 'Invoices are due this many days after they are sent. Leave empty to use the booking date.',
    },
    invoice_reminder_days: {
      label: 'Remind customers about overdue invoices after (days)',
      input: 'decimal',
      width: 'full',
      hint: 'We email the customer once about each overdue invoice, unless it has been paid. Leave empty to send no reminders.',
    },
    invoice_reminder_subject: { label: 'Reminder subject', width: 'full', hiddenWhen: sendsNoReminders, keepHidden: true },
    invoice_reminder_body: {
      label: 'Reminder text',
      input: 'lines',
      width: 'full',
      hint: `We fill in ${REMINDER_PLACEHOLDERS.join(', ')} and add a button that opens the invoice. Leave subject and text empty to use the default wording.`,
      hiddenWhen: sendsNoReminders,
      keepHidden: true,
    },
  },
});

/** The 14 listed zones, the stored one, and the browser's. */
export function zoneChoices(stored: string | null, here = browserTimeZone()): { value: string; label: string }[] {
  const options = new Map([...timeZoneOptions(stored), ...timeZoneOptions(here)].map(({ zone, label }) => [zone, label]));
  return [...options].map(([value, label]) => ({ value, label: value === 'UTC' ? label : `${label} (${value})` }));
}
