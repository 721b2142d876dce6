import type { Quote } from '@callout/contract/quotes';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publishChange } from '../../platform/live/live.ts';
import { type DeliveryChange, recordDelivery } from '../../platform/mail/mail-record.ts';
import type { MailReport } from '../../platform/mail/outbox.sql.ts';
import { recordEvent } from '../history/history.sql.ts';
import { notifyUndelivered } from '../notifications/notifications.sql.ts';
import { findByOutboxMail, isQuoteUnderWay, type QuoteMailRow, wasSentByMail } from './quote-mails.sql.ts';
import { changeQuoteStatus, findQuote, lockQuote } from './quotes.sql.ts';
import { quote_mails } from './quotes.table.ts';
import { markQuoteSent, recordQuoteDelivery } from './send-quote.ts';

/** Shows on the quote what became of its mail. One that nobody received is a draft again, and its sender is told once. */
export const recordQuoteMail = (platform: Pick<Platform, 'pools' | 'now'>, report: MailReport) =>
  recordDelivery(platform, recordQuoteDelivery, report, {
    table: quote_mails,
    find: findByOutboxMail,
    lock: (scope, { quote_id }) => lockQuote(scope, quote_id),
    show: showDelivery,
  });

async function showDelivery(scope: TenantScope, mail: QuoteMailRow, change: DeliveryChange | null): Promise<void> {
  await publishChange(scope, 'quotes');
  const quote = change && (await findQuote(scope, mail.quote_id));
  if (!quote) return;
  const { id, quote_number, customer } = quote;
  const { recipient } = mail;
  if (mail.kind === 'reminder' && change.status === 'sent')
    await recordEvent(scope, 'quote', id, 'reminded', { recipient: [null, recipient] });
  if (change.isRestarted && mail.kind === 'quote' && quote.status === 'draft') await markQuoteSent(scope, quote, recipient);
  if (change.isStopped) await takeBack(scope, quote);
  if (!change.hasFailed) return;
  const { problem } = change;
  await recordEvent(scope, 'quote', id, 'mail-failed', { recipient: [null, recipient], problem: [null, problem] });
  const what = `${mail.kind === 'quote' ? 'Your quote' : 'The reminder of your quote'} ${quote_number} to ${customer?.name ?? recipient}`;
  await notifyUndelivered(scope, mail.user_id, { what, problem, data: { quote_id: id } });
}

/** Unless a mail with it was delivered or is on its way, or somebody marked it as sent. */
async function takeBack(scope: TenantScope, { id, status, sent_at }: Quote): Promise<void> {
  if (status !== 'sent' || sent_at === null) return;
  if ((await isQuoteUnderWay(scope, id)) || !(await wasSentByMail(scope, id, sent_at))) return;
  await changeQuoteStatus(scope, id, { from: 'sent', to: 'draft', sent_at: null });
}
