import type { DocumentKind } from '../src/features/documents/document-kind.ts';
import { queueReminders } from '../src/features/documents/send-reminders.ts';
import type { Firm } from './factories/people.ts';
import type { TestApp } from './test-app.ts';

/** Sets after how many days customers get a reminder. */
export async function saveReminderDays(
  { people }: Firm,
  days: { readonly quote_reminder_days: string | null } | { readonly invoice_reminder_days: string | null },
): Promise<void> {
  const { company } = people.admin.client;
  const { profile } = await company.me();
  if (!profile) throw new Error('The firm has no profile');
  const { gst_percentage, paypal_fee_percentage, currency, company_name } = profile;
  await company.update({
    ...profile,
    company_name: company_name ?? '',
    gst_percentage: gst_percentage ?? '15',
    paypal_fee_percentage: paypal_fee_percentage ?? '2.9',
    currency: currency ?? 'NZD',
    ...days,
  });
}

/** Queues all reminders that are due, as the server does every hour. */
export async function queueDueReminders<Document>({ app }: TestApp, kind: DocumentKind<Document>): Promise<void> {
  const { pools, config, now } = app.platform;
  await queueReminders({ pool: pools.system, settings: config, now, signal: new AbortController().signal }, kind);
}

/** Marks the email addresses of all the firm's people as confirmed or unconfirmed. */
export const setEmailConfirmed = ({ owner }: TestApp, { companyId }: Firm, isConfirmed: boolean) =>
  owner.query('update users u set email_verified = $2 from staff_members m where m.profile_id = u.id and m.company_id = $1', [
    companyId,
    isConfirmed,
  ]);
