import type { Quote } from '@callout/contract/quotes';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publishChange } from '../../platform/live/live.ts';
import { type DeliveryChange, recordMailDelivery } from '../../platform/mail/mail-record.ts';
import type { MailReport } from '../../platform/mail/outbox.sql.ts';
import { recordEvent } from '../history/history.sql.ts';
import { notifyUndeliveredMail } from '../notifications/notifications.sql.ts';
import { findQuoteMailByOutboxId, hasQueuedOrDeliveredMail, type QuoteMailRow, wasMarkedSentByMail } from './quote-mails.sql.ts';
import { changeQuoteStatus, findQuote, lockQuote } from './quotes.sql.ts';
import { quote_mails } from './quotes.table.ts';
import { markQuoteSent, recordQuoteDeliveryTask } from './send-quote.ts';

/** Stores the delivery status with the quote. If delivery fails, reverts the quote to a draft and notifies the sender once. */
export const recordQuoteMailDelivery = (platform: Pick<Platform, 'pools' | 'now'>, report: MailReport) =>
  recordMailDelivery(platform, recordQuoteDeliveryTask, report, {
    table: quote_mails,
    find: findQuoteMailByOutboxId,
    lock: (scope, { quote_id }) => lockQuote(scope, quote_id),
    applyChange: applyDeliveryChange,
  });

async function applyDeliveryChange(scope: TenantScope, mail: QuoteMailRow, change: DeliveryChange | null): Promise<void> {
  await publishChange(scope, 'quotes');
  const quote = change && (await findQuote(scope, mail.quote_id));
  if (!quote) return;
  const { id, quote_number, customer } = quote;
  const { recipient } = mail;
  if (mail.kind === 'reminder' && change.status === 'sent')
    await recordEvent(scope, 'quote', id, 'reminded', { recipient: [null, recipient] });
  if (change.isRestarted && mail.kind === 'quote' && quote.status === 'draft') await markQuoteSent(scope, quote, recipient);
  if (change.isStopped) await revertToDraftIfUnsent(scope, quote);
  if (!change.hasFailed) return;
  const { problem } = change;
  await recordEvent(scope, 'quote', id, 'mail-failed', { recipient: [null, recipient], problem: [null, problem] });
  const description = `${mail.kind === 'quote' ? 'Your quote' : 'The reminder for your quote'} ${quote_number} to ${customer?.name ?? recipient}`;
  await notifyUndeliveredMail(scope, mail.user_id, { description, problem, data: { quote_id: id } });
}

/** Reverts the quote to a draft, unless another email was delivered or is queued, or someone marked it as sent by hand. */
async function revertToDraftIfUnsent(scope: TenantScope, { id, status, sent_at }: Quote): Promise<void> {
  if (status !== 'sent' || sent_at === null) return;
  if ((await hasQueuedOrDeliveredMail(scope, id)) || !(await wasMarkedSentByMail(scope, id, sent_at))) return;
  await changeQuoteStatus(scope, id, { from: 'sent', to: 'draft', sent_at: null });
}
