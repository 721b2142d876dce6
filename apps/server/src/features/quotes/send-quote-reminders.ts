import { randomUUID } from 'node:crypto';
import type { Quote } from '@callout/contract/quotes';
import { hasQuoteItems } from '@callout/domain/quotes/quote';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import { runTenantTransaction } from '../../platform/db/tenant-scope.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { countAutomaticMail } from '../../platform/limits/mail-limits.ts';
import { publishChange } from '../../platform/live/live.ts';
import type { RecordDueForReminder } from '../../platform/mail/reminders.sql.ts';
import { queueReminders, type ReminderContext } from '../../platform/mail/reminders.ts';
import { defineTask, mintTaskTenant } from '../../platform/queue/task.ts';
import { type Issuer, readIssuer } from '../company/company.sql.ts';
import { nullIfUrl } from '../company/customer-mail-parts.ts';
import { QUOTE_REMINDER_LIMITS } from './quote-mail-limits.ts';
import { insertQuoteMail } from './quote-mails.sql.ts';
import { isQuoteReminderDue, listQuotesDueForReminder } from './quote-reminders.sql.ts';
import { findQuote, lockQuote } from './quotes.sql.ts';
import { queueQuoteMail } from './send-quote.ts';

export const sendQuoteReminderTask = defineTask<RecordDueForReminder>('remind-quote');

export const queueQuoteReminders = (run: ReminderContext) => queueReminders(run, sendQuoteReminderTask, listQuotesDueForReminder);

/** Sends at most one reminder per quote. Repeats all checks under the quote's lock, because the customer may have just answered. */
export async function sendQuoteReminder(
  { pools, now, appUrl }: Pick<Platform, 'pools' | 'now' | 'appUrl'>,
  { company_id, id }: RecordDueForReminder,
) {
  const tenant = mintTaskTenant(sendQuoteReminderTask.name, company_id, now().toISOString());
  await runTenantTransaction(pools.app, tenant, async (scope) => {
    await lockQuote(scope, id);
    const quote = await findQuote(scope, id);
    const recipient = quote?.customer?.email;
    if (!quote || !recipient || !quote.is_actionable || !hasQuoteItems(quote.sections) || !(await isQuoteReminderDue(scope, id))) return;
    if (!(await countAutomaticMail(pools.system, QUOTE_REMINDER_LIMITS, company_id, recipient))) return;
    const message = { recipient, ...buildReminderMessage(quote, await readIssuer(scope)) };
    const mail_id = await queueQuoteMail(scope, { appUrl }, quote, message);
    await insertQuoteMail(scope, { id: randomUUID(), quote_id: id, kind: 'reminder', mail_id, status: 'queued', ...message });
    await publishChange(scope, 'quotes');
  });
}

function buildReminderMessage({ quote_number, title, sent_at, valid_until, customer }: Quote, { issuer, timezone }: Issuer) {
  const [company, name] = [nullIfUrl(issuer.company_name), nullIfUrl(customer?.name)];
  const sentOn = sent_at ? ` on ${formatCivilDate(toLocalDate(sent_at, timezone))}` : '';
  return {
    subject: `Reminder: quote ${quote_number}${company ? ` from ${company}` : ''}`,
    body: [
      name ? `Hi ${name},` : 'Hi,',
      `We sent you a quote for “${title}”${sentOn}. Have you had a chance to look at it?`,
      `You can accept or decline it online${valid_until ? ` until ${formatCivilDate(valid_until)}` : ''}.`,
      ...(issuer.email ? ['If you have any questions, just reply to this email.'] : []),
    ].join('\n\n'),
  };
}
