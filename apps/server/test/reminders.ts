import type { ReminderRun } from '../src/platform/mail/reminders.ts';
import type { Firm } from './factories/people.ts';
import type { TestApp } from './test-app.ts';

/** Saves in Settings after how many days customers are reminded. */
export async function saveReminderDays(
  { people }: Firm,
  days: { readonly quote_reminder_days: string | null } | { readonly invoice_reminder_days: string | null },
): Promise<void> {
  const { company } = people.admin.client;
  const { profile } = await company.me();
  if (!profile) throw new Error('This firm has no profile');
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

/** Queues the reminders that are due, as the server does every hour. */
export async function queueDueReminders({ app }: TestApp, remind: (run: ReminderRun) => Promise<void>): Promise<void> {
  const { pools, config, now } = app.platform;
  await remind({ pool: pools.system, settings: config, now, signal: new AbortController().signal });
}

/** Whether the people of a firm have confirmed their email. */
export const setConfirmed = ({ owner }: TestApp, { companyId }: Firm, isConfirmed: boolean) =>
  owner.query('update users u set email_verified = $2 from staff_members m where m.profile_id = u.id and m.company_id = $1', [
    companyId,
    isConfirmed,
  ]);
