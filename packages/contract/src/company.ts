import { CURRENCIES } from '@callout/domain/money/currency';
import { ROLES } from '@callout/domain/roles/roles';
import { isTimeZone } from '@callout/domain/time/time-zones';
import { z } from 'zod';
import { call } from './call.ts';
import { Instant, KnownId, optionalText, requiredEmail, requiredText } from './fields.ts';

export const Currency = z.enum(CURRENCIES, 'Please choose a currency');

/** The company and the person in it, under the spec's field names. */
export const Profile = z.object({
  id: KnownId,
  role: z.enum(ROLES),
  company_id: KnownId,
  company_name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  address: z.string().nullable(),
  timezone: z.string().nullable(),
  gst_number: z.string().nullable(),
  gst_percentage: z.string().nullable(),
  default_hourly_rate: z.string().nullable(),
  currency: Currency.nullable(),
  bank_name: z.string().nullable(),
  bank_account_number: z.string().nullable(),
  paypal_email: z.string().nullable(),
  add_paypal_fees: z.boolean(),
  paypal_fee_percentage: z.string().nullable(),
  avatar_url: z.string().nullable(),
  onboarding_completed: z.boolean(),
  created_at: Instant,
  updated_at: Instant,
});
export type Profile = z.infer<typeof Profile>;

export const MAX_MENU_ENTRIES = 20;
export const MenuOrder = z.array(z.string().min(1).max(40)).max(MAX_MENU_ENTRIES);

export const Me = z.object({
  user: z.object({ id: KnownId, email: z.string(), name: z.string() }),
  /** Null until the person has a company: the page then leads to onboarding. */
  profile: Profile.nullable(),
  /** Only the account named by ADMIN_EMAIL. */
  is_system_admin: z.boolean(),
  menu_order: MenuOrder.nullable(),
});
export type Me = z.infer<typeof Me>;

/** A percentage from 0 to 100 with at most three decimals, as exact text. */
const Percentage = (label: string) =>
  requiredText(label, 10)
    .refine((text) => text === '' || /^\d{1,3}(\.\d{1,3})?$/.test(text), `${label} must be a number from 0 to 100`)
    .refine((text) => !/^\d/.test(text) || Number(text) <= 100, `${label} must be a number from 0 to 100`);

export const Onboarding = z.object({
  company_name: requiredText('Company name', 200),
  phone: requiredText('Phone', 50),
  gst_number: requiredText('GST/VAT number', 50),
  gst_percentage: Percentage('GST percentage'),
  paypal_email: requiredEmail('PayPal email'),
  currency: Currency,
  /** The browser's zone, kept as the company's first time zone. */
  timezone: optionalText('Timezone', 60).refine((zone) => zone === null || isTimeZone(zone), 'Please choose a time zone'),
});
export type Onboarding = z.infer<typeof Onboarding>;

export const company = {
  me: call('signed-in')
    .route({ method: 'GET', path: '/me', summary: 'Who am I, and my company', tags: ['company'] })
    .output(Me),

  saveMenuOrder: call('signed-in')
    .route({ method: 'PUT', path: '/me/menu-order', summary: 'Keep my order of the menu', tags: ['company'] })
    .input(z.object({ menu_order: MenuOrder.nullable() }))
    .output(Me),

  start: call('signed-in')
    .route({
      method: 'POST',
      path: '/company',
      summary: 'Make my company, once; its profile is then completed by onboarding',
      tags: ['company'],
    })
    .output(Me),

  completeOnboarding: call('company.edit')
    .route({ method: 'POST', path: '/company/onboarding', summary: "Complete the company's profile", tags: ['company'] })
    .input(Onboarding)
    .output(Me),
};
