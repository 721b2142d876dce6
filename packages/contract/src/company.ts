import { isValidFeePercentage } from '@callout/domain/fees/payment-fee';
import { CURRENCIES } from '@callout/domain/money/currency';
import { ROLES } from '@callout/domain/roles/roles';
import { isValidTaxRate } from '@callout/domain/tax/tax';
import { isTimeZone } from '@callout/domain/time/time-zones';
import { z } from 'zod';
import { MailOutcome } from './auth.ts';
import { defineCall, defineClosedCompanyCall } from './call.ts';
import { ERROR_STATUS, notFoundError, staleVersionError } from './errors.ts';
import {
  Instant,
  OutputId,
  optionalAmount,
  optionalEmail,
  optionalLongText,
  optionalName,
  optionalText,
  RecordVersion,
  requiredEmail,
  requiredName,
  requiredPercentage,
  requiredText,
} from './fields.ts';

export const Currency = z.enum(CURRENCIES, 'Please choose a currency');

/** The signed-in person's company and role. The field names come from the specification. */
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
  /** Null if quote reminders are off. */
  quote_reminder_days: z.string().nullable(),
  /** Null if invoices are due on the booking date. */
  payment_terms_days: z.string().nullable(),
  /** Days after the due date; null if invoice reminders are off. */
  invoice_reminder_days: z.string().nullable(),
  /** Null if the company uses the default subject. */
  invoice_reminder_subject: z.string().nullable(),
  invoice_reminder_body: z.string().nullable(),
  avatar_url: z.string().nullable(),
  onboarding_completed: z.boolean(),
  created_at: Instant,
  updated_at: Instant,
  version: RecordVersion,
});
export type Profile = z.infer<typeof Profile>;

export const MAX_MENU_ENTRIES = 20;
export const MenuOrder = z.array(z.string().regex(/^[a-z][a-z-]{0,39}$/, 'Unknown menu item')).max(MAX_MENU_ENTRIES);

export const Me = z.object({
  user: z.object({
    id: OutputId,
    email: z.string(),
    name: z.string(),
    /** Id of the signed-in person's staff record; null if they belong to no company. */
    staff_id: OutputId.nullable(),
    avatar_url: z.string().nullable(),
    /** The color of the person's initial, the same as on the staff list; null without one. */
    hex_code: z.string().nullable(),
    /** The new email address until it is confirmed; null if no change is pending. */
    pending_email: z.string().nullable(),
  }),
  /** Null until the person has a company. Until then, the page shows onboarding. */
  profile: Profile.nullable(),
  /** When the closed company will be deleted; null while it is open. */
  company_deletes_at: Instant.nullable(),
  /** True only for the system administrator: the account with the address in ADMIN_EMAIL, once an emailed link set its password. */
  is_system_admin: z.boolean(),
  /** Whether the person must confirm their email address before they can invite anyone. */
  must_confirm_email: z.boolean(),
  /** Whether this server can send email. If it can't, the system administrator passes links on by hand. */
  sends_mail: z.boolean(),
  menu_order: MenuOrder.nullable(),
  /** Whether the first steps on the dashboard have been closed or completed. */
  start_card_dismissed: z.boolean(),
});
export type Me = z.infer<typeof Me>;

const MAX_REMINDER_DAYS = 90;
const TaxPercentage = requiredPercentage('GST percentage', isValidTaxRate, 'from 0 to 100');
const FeePercentage = requiredPercentage('Fee percentage', isValidFeePercentage, 'of at least 0 and less than 100');
/** A whole number as a string. Empty turns reminders off. */
const ReminderDays = optionalText('Days', 10).refine(
  (days) => days === null || (/^\d{1,2}$/.test(days) && Number(days) >= 1 && Number(days) <= MAX_REMINDER_DAYS),
  `Please enter a whole number from 1 to ${MAX_REMINDER_DAYS}, or leave this empty`,
);
const MAX_PAYMENT_TERMS_DAYS = 180;
/** A whole number as a string. If empty, invoices are due on the booking date. */
const PaymentTermsDays = optionalText('Payment terms', 10).refine(
  (days) => days === null || (/^\d{1,3}$/.test(days) && Number(days) <= MAX_PAYMENT_TERMS_DAYS),
  `Please enter a whole number from 0 to ${MAX_PAYMENT_TERMS_DAYS}, or leave this empty`,
);
const Timezone = optionalText('Timezone', 60).refine((zone) => zone === null || isTimeZone(zone), 'Please choose a time zone');

export const Onboarding = z.object({
  company_name: requiredName('Company name', 200),
  /** Defaults to the part of the person's email address before the @. */
  name: optionalName('Your name', 200),
  phone: requiredText('Phone', 50),
  gst_number: requiredText('GST/VAT number', 50),
  gst_percentage: TaxPercentage,
  paypal_email: requiredEmail('PayPal email'),
  currency: Currency,
  /** The browser's time zone, which becomes the company's initial time zone. */
  timezone: Timezone,
});
export type Onboarding = z.infer<typeof Onboarding>;

const settingsFields = {
  /** Not checked for URLs, because a URL in an older name must not block other changes. The server rejects URLs in new names. */
  company_name: requiredText('Company name', 200),
  email: optionalEmail('Company email'),
  phone: optionalText('Phone', 50),
  timezone: Timezone,
  address: optionalLongText('Address', 500),
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
  payment_terms_days: PaymentTermsDays,
  invoice_reminder_days: ReminderDays,
  invoice_reminder_subject: optionalText('Subject', 200),
  invoice_reminder_body: optionalLongText('Message', 5000),
};

export const CompanySettingsInput = z.object(settingsFields);
export type CompanySettingsInput = z.infer<typeof CompanySettingsInput>;

export const CompanySettings = z.object({ version: RecordVersion, ...settingsFields });
export type CompanySettings = z.infer<typeof CompanySettings>;

export const CURRENCY_FIXED_MESSAGE =
  "You can't change the currency anymore because you have sent a quote or an invoice, or recorded a payment.";
export const profileNotFoundError = notFoundError('Profile not found');
export const alreadyOnboardedError = {
  ALREADY_DONE: { status: ERROR_STATUS.ALREADY_DONE, message: 'This company is already set up. You can change it in Settings.' },
} as const;

export const companyNameMismatchError = {
  NOT_CONFIRMED: { status: ERROR_STATUS.NOT_CONFIRMED, message: "That doesn't match the company name." },
} as const;
export const COMPANY_DELETION_DAYS = 7;

export const company = {
  me: defineCall('signed-in')
    .route({ method: 'GET', path: '/me', summary: 'Get the signed-in person and their company', tags: ['company'] })
    .output(Me),

  saveMenuOrder: defineCall('signed-in')
    .route({ method: 'PUT', path: '/me/menu-order', summary: 'Save my menu order', tags: ['company'] })
    .input(z.object({ menu_order: MenuOrder.nullable() }))
    .output(Me),

  dismissStartCard: defineCall('signed-in')
    .route({ method: 'POST', path: '/me/start-card/dismiss', summary: 'Hide the first steps on my dashboard', tags: ['company'] })
    .output(Me),

  start: defineCall('signed-in')
    .route({
      method: 'POST',
      path: '/company',
      summary: 'Create my company, once, before onboarding completes its profile',
      tags: ['company'],
    })
    .output(Me),

  /** Callable without a company. Company members need 'company.edit'. */
  completeOnboarding: defineCall('signed-in')
    .route({
      method: 'POST',
      path: '/company/onboarding',
      summary: "Complete my company's profile, once; creates the company if I have none",
      tags: ['company'],
    })
    .input(Onboarding)
    .output(Me)
    .errors(alreadyOnboardedError),

  update: defineCall('company.edit')
    .route({ method: 'PUT', path: '/company', summary: "Update the company's settings, given their current version", tags: ['company'] })
    .input(CompanySettings)
    .output(Me)
    .errors({ ...profileNotFoundError, ...staleVersionError(Profile) }),

  /** Tells the settings page whether the currency can still change. */
  currency: defineCall('company.edit')
    .route({ method: 'GET', path: '/company/currency', summary: "Check whether the company's currency is final", tags: ['company'] })
    .output(z.object({ is_final: z.boolean() })),

  removeLogo: defineCall('company.edit')
    .route({ method: 'DELETE', path: '/company/logo', summary: "Remove the company's logo", tags: ['company'] })
    .output(Me),

  requestDeletion: defineClosedCompanyCall('company.delete')
    .route({
      method: 'POST',
      path: '/company/deletion',
      summary: `Close the company and delete it with all its data in ${COMPANY_DELETION_DAYS} days, unless the deletion is undone`,
      tags: ['company'],
    })
    /** The company's name, typed to confirm the deletion. */
    .input(z.object({ confirmation: requiredText('The name', 300) }))
    .output(z.object({ deletes_at: Instant, ...MailOutcome.shape }))
    .errors(companyNameMismatchError),

  cancelDeletion: defineClosedCompanyCall('company.delete')
    .route({ method: 'DELETE', path: '/company/deletion', summary: 'Undo the deletion and open the company again', tags: ['company'] })
    .output(MailOutcome),
};
