import { isFeePercentage } from '@callout/domain/fees/payment-fee';
import { CURRENCIES } from '@callout/domain/money/currency';
import { ROLES } from '@callout/domain/roles/roles';
import { isTaxRate } from '@callout/domain/tax/tax';
import { isTimeZone } from '@callout/domain/time/time-zones';
import { z } from 'zod';
import { call } from './call.ts';
import { errorStatus, notFound, staleVersion } from './errors.ts';
import {
  Instant,
  OutputId,
  optionalAmount,
  optionalEmail,
  optionalLines,
  optionalName,
  optionalText,
  percentage,
  requiredEmail,
  requiredName,
  requiredText,
  Version,
} from './fields.ts';

export const Currency = z.enum(CURRENCIES, 'Please choose a currency');

/** The company and the person in it, under the spec's field names. */
export const Profile = z.object({
  id: OutputId,
  role: z.enum(ROLES),
  company_id: OutputId,
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
  /** Null when customers are not reminded of quotes. */
  quote_reminder_days: z.string().nullable(),
  /** Null: invoices are due on the booking date. */
  payment_terms_days: z.string().nullable(),
  /** Days after the due day; null when customers are not reminded of invoices. */
  invoice_reminder_days: z.string().nullable(),
  /** The firm's own wording; null for the usual one. */
  invoice_reminder_subject: z.string().nullable(),
  invoice_reminder_body: z.string().nullable(),
  avatar_url: z.string().nullable(),
  onboarding_completed: z.boolean(),
  created_at: Instant,
  updated_at: Instant,
  version: Version,
});
export type Profile = z.infer<typeof Profile>;

export const MAX_MENU_ENTRIES = 20;
export const MenuOrder = z.array(z.string().regex(/^[a-z][a-z-]{0,39}$/, 'Unknown menu item')).max(MAX_MENU_ENTRIES);

export const Me = z.object({
  user: z.object({
    id: OutputId,
    email: z.string(),
    name: z.string(),
    /** Their staff member in the company, and its picture. */
    staff_id: OutputId.nullable(),
    avatar_url: z.string().nullable(),
    /** The new email of a pending change, whose mailed link has not been opened yet. */
    pending_email: z.string().nullable(),
  }),
  /** Null until the person has a company; the page then shows onboarding. */
  profile: Profile.nullable(),
  /** Only the account named by ADMIN_EMAIL. */
  is_system_admin: z.boolean(),
  /** Whether they must confirm their email before they can invite anyone. */
  must_confirm_email: z.boolean(),
  /** Whether this server can send emails; without that, the administrator hands out their links. */
  sends_mail: z.boolean(),
  menu_order: MenuOrder.nullable(),
  /** They closed the dashboard's first steps, or completed them. */
  start_card_dismissed: z.boolean(),
});
export type Me = z.infer<typeof Me>;

const MAX_REMINDER_DAYS = 90;
const TaxPercentage = percentage('GST percentage', isTaxRate, 'from 0 to 100');
const FeePercentage = percentage('Fee percentage', isFeePercentage, 'of at least 0 and less than 100');
/** A whole number as text; empty for no reminders. */
const ReminderDays = optionalText('Days', 10).refine(
  (days) => days === null || (/^\d{1,2}$/.test(days) && Number(days) >= 1 && Number(days) <= MAX_REMINDER_DAYS),
  `Please enter a whole number from 1 to ${MAX_REMINDER_DAYS}, or leave this empty`,
);
const MAX_PAYMENT_TERMS = 180;
/** A whole number as text; empty for the booking date. */
const PaymentTerms = optionalText('Payment terms', 10).refine(
  (days) => days === null || (/^\d{1,3}$/.test(days) && Number(days) <= MAX_PAYMENT_TERMS),
  `Please enter a whole number from 0 to ${MAX_PAYMENT_TERMS}, or leave this empty`,
);
const Timezone = optionalText('Timezone', 60).refine((zone) => zone === null || isTimeZone(zone), 'Please choose a time zone');

export const Onboarding = z.object({
  company_name: requiredName('Company name', 200),
  /** The person's name; defaults to the part of their email before the @. */
  name: optionalName('Your name', 200),
  phone: requiredText('Phone', 50),
  gst_number: requiredText('GST/VAT number', 50),
  gst_percentage: TaxPercentage,
  paypal_email: requiredEmail('PayPal email'),
  currency: Currency,
  /** The browser's zone, kept as the company's first time zone. */
  timezone: Timezone,
});
export type Onboarding = z.infer<typeof Onboarding>;

const settingsFields = {
  /** The server checks that a new name contains no URL; a name stored before that rule must not block other changes. */
  company_name: requiredText('Company name', 200),
  email: optionalEmail('Company email'),
  phone: optionalText('Phone', 50),
  timezone: Timezone,
  address: optionalLines('Address', 500),
  gst_number: optionalText('GST/VAT number', 50),
  gst_percentage: TaxPercentage,
  default_hourly_rate: optionalAmount('Default hourly rate'),
  currency: Currency,
  bank_name: optionalText('Bank name', 200),
  bank_account_number: optionalText('Account number', 50),
  paypal_email: optionalEmail('PayPal email'),
  add_paypal_fees: z.boolean(),
  paypal_fee_percentage: FeePercentage,
  quote_reminder_days: ReminderDays,
  payment_terms_days: PaymentTerms,
  invoice_reminder_days: ReminderDays,
  invoice_reminder_subject: optionalText('Subject', 200),
  invoice_reminder_body: optionalLines('Message', 5000),
};

/** The form of the settings, before the version is added. */
export const CompanySettingsForm = z.object(settingsFields);
export type CompanySettingsForm = z.infer<typeof CompanySettingsForm>;

export const CompanySettings = z.object({ version: Version, ...settingsFields });
export type CompanySettings = z.infer<typeof CompanySettings>;

export const profileNotFound = notFound('Profile not found');
export const onboardingDone = {
  ALREADY_DONE: { status: errorStatus.ALREADY_DONE, message: 'This company is set up already. You can change it in Settings.' },
} as const;

export const company = {
  me: call('signed-in')
    .route({ method: 'GET', path: '/me', summary: 'The current user and their company', tags: ['company'] })
    .output(Me),

  saveMenuOrder: call('signed-in')
    .route({ method: 'PUT', path: '/me/menu-order', summary: 'Save my menu order', tags: ['company'] })
    .input(z.object({ menu_order: MenuOrder.nullable() }))
    .output(Me),

  dismissStartCard: call('signed-in')
    .route({ method: 'POST', path: '/me/start-card/dismiss', summary: 'Hide the first steps on my dashboard for good', tags: ['company'] })
    .output(Me),

  start: call('signed-in')
    .route({
      method: 'POST',
      path: '/company',
      summary: 'Create my company, once, before onboarding completes its profile',
      tags: ['company'],
    })
    .output(Me),

  /** For whoever has no company yet; in a company it needs 'company.edit'. */
  completeOnboarding: call('signed-in')
    .route({
      method: 'POST',
      path: '/company/onboarding',
      summary: "Complete my company's profile, once; makes the company if I have none",
      tags: ['company'],
    })
    .input(Onboarding)
    .output(Me)
    .errors(onboardingDone),

  update: call('company.edit')
    .route({ method: 'PUT', path: '/company', summary: "Change the company's settings from a version", tags: ['company'] })
    .input(CompanySettings)
    .output(Me)
    .errors({ ...profileNotFound, ...staleVersion(Profile) }),

  removeLogo: call('company.edit')
    .route({ method: 'DELETE', path: '/company/logo', summary: "Take the company's logo away", tags: ['company'] })
    .output(Me),
};
