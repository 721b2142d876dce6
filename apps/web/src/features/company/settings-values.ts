import type { Profile } from '@callout/contract/company';
import { DEFAULT_FEE_PERCENTAGE } from '@callout/domain/fees/payment-fee';
import { type Currency, SETTINGS_CURRENCY } from '@callout/domain/money/currency';
import { DEFAULT_TAX_RATE } from '@callout/domain/tax/tax';
import { listedTimeZone, timeZoneOptions } from '@callout/domain/time/time-zones';

/** What the fields hold while somebody types: text as it is typed, empty for what is absent. */
export interface SettingsValues {
  company_name: string;
  email: string;
  phone: string;
  timezone: string;
  address: string;
  gst_number: string;
  gst_percentage: string;
  default_hourly_rate: string;
  currency: Currency;
  bank_name: string;
  bank_account_number: string;
  paypal_email: string;
  add_paypal_fees: boolean;
  paypal_fee_percentage: string;
}

export type SettingsField = keyof SettingsValues;

/** In the order the form shows them. */
export const SETTINGS_LABELS: Record<SettingsField, string> = {
  company_name: 'Company Name',
  email: 'Company Email',
  phone: 'Phone',
  timezone: 'Timezone',
  address: 'Address',
  gst_number: 'GST/VAT number',
  gst_percentage: 'GST percentage',
  default_hourly_rate: 'Default hourly rate',
  currency: 'Currency',
  bank_name: 'Bank name',
  bank_account_number: 'Account number',
  paypal_email: 'PayPal email',
  add_paypal_fees: 'Add fees to online payments',
  paypal_fee_percentage: 'Fee percentage',
};

export const SETTINGS_FIELDS = Object.keys(SETTINGS_LABELS) as SettingsField[];

const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

const listed = (zone: string) => listedTimeZone(zone)?.zone ?? 'UTC';

export function settingsValues(profile: Profile): SettingsValues {
  return {
    company_name: profile.company_name ?? '',
    email: profile.email ?? '',
    phone: profile.phone ?? '',
    timezone: listed(profile.timezone ?? browserZone()),
    address: profile.address ?? '',
    gst_number: profile.gst_number ?? '',
    gst_percentage: profile.gst_percentage ?? DEFAULT_TAX_RATE,
    default_hourly_rate: profile.default_hourly_rate ?? '',
    currency: profile.currency ?? SETTINGS_CURRENCY,
    bank_name: profile.bank_name ?? '',
    bank_account_number: profile.bank_account_number ?? '',
    paypal_email: profile.paypal_email ?? '',
    add_paypal_fees: profile.add_paypal_fees,
    paypal_fee_percentage: profile.paypal_fee_percentage ?? DEFAULT_FEE_PERCENTAGE,
  };
}

/** The 14 of the list, the one that is stored, and the one this browser is set to. */
export function zoneChoices(stored: string | null, here = browserZone()): { value: string; label: string }[] {
  const options = new Map([...timeZoneOptions(stored), ...timeZoneOptions(here)].map(({ zone, label }) => [zone, label]));
  return [...options].map(([value, label]) => ({ value, label: value === 'UTC' ? label : `${label} (${value})` }));
}
