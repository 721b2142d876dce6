import { randomUUID } from 'node:crypto';
import type { Quote } from '@callout/contract/quotes';
import { hasItems } from '@callout/domain/quotes/quote';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { localDate } from '@callout/domain/time/zoned-time';
import { changeAs } from '../../platform/db/tenant-scope.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { countAutomaticMail } from '../../platform/limits/mail-limits.ts';
import { publishChange } from '../../platform/live/live.ts';
import type { DueRecord } from '../../platform/mail/reminders.sql.ts';
import { queueReminders, type ReminderRun } from '../../platform/mail/reminders.ts';
import { defineTask, tenantOfTask } from '../../platform/queue/task.ts';
import { type Issuer, readIssuer } from '../company/company.sql.ts';
import { withoutUrl } from '../company/mail-parts.ts';
import { QUOTE_REMINDERS } from './quote-mail-limits.ts';
import { insertQuoteMail } from './quote-mails.sql.ts';
import { isReminderDue, listDueQuotes } from './quote-reminders.sql.ts';
import { findQuote, lockQuote } from './quotes.sql.ts';
import { queueQuoteMail } from './send-quote.ts';

export const remindQuote = defineTask<DueRecord>('remind-quote');

/** Queues a reminder for every quote that is due. */
export const remindQuotes = (run: ReminderRun) => queueReminders(run, remindQuote, listDueQuotes);

/** Mails the customer once per quote, ever. Everything is checked again under the quote's lock: an answer may have come meanwhile. */
export async function mailReminder({ pools, now, appUrl }: Pick<Platform, 'pools' | 'now' | 'appUrl'>, { company_id, id }: DueRecord) {
  const tenant = tenantOfTask(remindQuote.name, company_id, now().toISOString());
  await changeAs(pools.app, tenant, async (scope) => {
    await lockQuote(scope, id);
    const quote = await findQuote(scope, id);
    const recipient = quote?.customer?.email;
    if (!quote || !recipient || !quote.is_actionable || !hasItems(quote.sections) || !(await isReminderDue(scope, id))) return;
    if (!(await countAutomaticMail(pools.system, QUOTE_REMINDERS, company_id, recipient))) return;
    const letter = { recipient, ...reminderOf(quote, await readIssuer(scope)) };
    const mail_id = await queueQuoteMail(scope, { appUrl }, quote, letter);
    await insertQuoteMail(scope, { id: randomUUID(), quote_id: id, kind: 'reminder', mail_id, status: 'queued', ...letter });
    await publishChange(scope, 'quotes');
  });
}

function reminderOf({ quote_number, title, sent_at, valid_until, customer }: Quote, { issuer, timezone }: Issuer) {
  const [company, name] = [withoutUrl(issuer.company_name), withoutUrl(customer?.name)];
  const sentOn = sent_at ? ` on ${formatCivilDate(localDate(sent_at, timezone))}` : '';
  return {
    subject: `Reminder: quote ${quote_number}${company ? ` from ${company}` : ''}`,
    body: [
      name ? `Hi ${name},` : 'Hi,',
      `We sent you our quote “${title}”${sentOn}. Have you had a chance to look at it?`,
      `You can accept or decline it online${valid_until ? ` until ${formatCivilDate(valid_until)}` : ''}.`,
      ...(issuer.email ? ['If you have any questions, just reply to this email.'] : []),
    ].join('\n\n'),
  };
}
