import type { Profile } from '@callout/contract/company';
import { expect, test } from 'vitest';
import { settingsForm, zoneChoices } from './settings-form.ts';

const EMPTY: Profile = {
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

test('a fresh profile starts from 15 percent, NZD and a fee of 2.9', () => {
  expect(settingsForm.valuesOf(EMPTY)).toMatchObject({ gst_percentage: '15', currency: 'NZD', paypal_fee_percentage: '2.9' });
});

test('an old name of a listed zone is that zone', () => {
  expect(settingsForm.valuesOf({ ...EMPTY, timezone: 'Asia/Calcutta' }).timezone).toBe('Asia/Kolkata');
});

test('the zones are the fourteen listed ones, then the stored one and the browser’s', () => {
  expect(zoneChoices('Pacific/Auckland', 'Pacific/Auckland')).toHaveLength(14);
  expect(
    zoneChoices('Asia/Dubai', 'Europe/Berlin')
      .slice(14)
      .map(({ value }) => value),
  ).toEqual(['Asia/Dubai', 'Europe/Berlin']);
});

test('an invalid fee is refused only while its field shows', () => {
  const typed = { ...settingsForm.valuesOf(EMPTY), company_name: 'Harbour', paypal_fee_percentage: '100' };
  expect(settingsForm.schema.safeParse({ ...typed, add_paypal_fees: true }).success).toBe(false);
  expect(settingsForm.schema.parse(typed).paypal_fee_percentage).toBe('2.9');
});

test('an hourly rate too large to store is refused in the form, which names the largest', () => {
  const typed = { ...settingsForm.valuesOf(EMPTY), company_name: 'Harbour', default_hourly_rate: '999999999999' };
  expect(settingsForm.schema.safeParse(typed).error?.issues[0]?.message).toBe('Default hourly rate must be at most 9,999,999,999.99');
});
