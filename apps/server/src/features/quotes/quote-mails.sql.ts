import { and, eq, sql } from 'drizzle-orm';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { REMINDER_EXPIRY_DAYS, type ReminderRule } from '../documents/document-reminders.sql.ts';
import { quote_mails } from './quotes.table.ts';

/**
 * Compares `valid_until` in UTC with a day to spare, because PostgreSQL doesn't know all of JavaScript's time zones, and an unknown zone
 * would fail the query for all companies. Before sending, `is_actionable` checks the exact date.
 */
export const QUOTE_REMINDER_RULE: ReminderRule = {
  name: 'quote',
  isDue: (now) => sql`r.status = 'sent'
    and r.sent_at <= ${now}::timestamptz - make_interval(days => c.quote_reminder_days)
    and r.sent_at > ${now}::timestamptz - make_interval(days => c.quote_reminder_days + ${REMINDER_EXPIRY_DAYS})
    and r.sent_at >= c.quote_reminders_since - make_interval(days => c.quote_reminder_days)
    and (r.valid_until is null or r.valid_until >= (${now}::timestamptz at time zone 'UTC')::date - 1)`,
};

/** Returns true if emailing marked the quote as sent, not a person. Emailing sets `sent_at` to the email's timestamp. */
export async function wasMarkedSentByMail(scope: TenantScope, quoteId: string, sentAt: string): Promise<boolean> {
  const isSendingMail = and(inCompany(scope, quote_mails), eq(quote_mails.document_id, quoteId), eq(quote_mails.queued_at, sentAt));
  return (await scope.db.$count(quote_mails, isSendingMail)) > 0;
}
