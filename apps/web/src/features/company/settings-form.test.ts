import type { Profile } from '@callout/contract/company';
import { expect, test } from 'vitest';
import { getTimeZoneChoices, settingsForm } from './settings-form.ts';

const EMPTY_PROFILE: Profile = {
  id: '1',
  role: 'admin',
  company_id: '2',
  company_name: null,
  email: null,
  phone: null,
  address: null,
  timezone: null,
  gst_number: null,
  gst_percentage: null,
  default_hourly_rate: null,
  currency: null,
  bank_name: null,
  bank_account_number: null,
  paypal_email: null,
  add_paypal_fees: false,
  paypal_fee_percentage: null,
  quote_reminder_days: null,
  payment_terms_days: null,
  invoice_reminder_days: null,
  invoice_reminder_subject: null,
  invoice_reminder_body: null,
  avatar_url: null,
  onboarding_completed: false,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  version: 1,
};

test('a new profile defaults to 15% GST, NZD and a 2.9% PayPal fee', () => {
  expect(settingsForm.toValues(EMPTY_PROFILE)).toMatchObject({ gst_percentage: '15', currency: 'NZD', paypal_fee_percentage: '2.9' });
});

test('maps a legacy time zone name to its current name', () => {
  expect(settingsForm.toValues({ ...EMPTY_PROFILE, timezone: 'Asia/Calcutta' }).timezone).toBe('Asia/Kolkata');
});

test('offers the fourteen listed time zones, then the stored one and the browser’s', () => {
  expect(getTimeZoneChoices('Pacific/Auckland', 'Pacific/Auckland')).toHaveLength(14);
  expect(
    getTimeZoneChoices('Asia/Dubai', 'Europe/Berlin')
      .slice(14)
      .map(({ value }) => value),
  ).toEqual(['Asia/Dubai', 'Europe/Berlin']);
});

test('rejects an invalid fee only while its field is visible', () => {
  const values = { ...settingsForm.toValues(EMPTY_PROFILE), company_name: 'Harbour', paypal_fee_percentage: '100' };
  expect(settingsForm.schema.safeParse({ ...values, add_paypal_fees: true }).success).toBe(false);
  expect(settingsForm.schema.parse(values).paypal_fee_percentage).toBe('2.9');
});

test('rejects an hourly rate that is too large to store and names the maximum', () => {
  const values = { ...settingsForm.toValues(EMPTY_PROFILE), company_name: 'Harbour', default_hourly_rate: '999999999999' };
  expect(settingsForm.schema.safeParse(values).error?.issues[0]?.message).toBe('Default hourly rate must be at most 9,999,999,999.99');
});
