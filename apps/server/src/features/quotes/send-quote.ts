import { idTakenError } from '@callout/contract/errors';
import {
  noCustomerEmailError,
  nothingToSendError,
  type Quote,
  quoteMailNotFoundError,
  quoteSenderUnconfirmedError,
} from '@callout/contract/quotes';
import { getInitialSelection, hasQuoteItems } from '@callout/domain/quotes/quote';
import { buildQuoteDocument } from '@callout/domain/quotes/quote-document';
import { getPerson } from '../../platform/db/actor.ts';
import { lockCompany } from '../../platform/db/company-lock.sql.ts';
import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { createFailure, toFailure } from '../../platform/errors/failures.ts';
import type { MailingContext } from '../../platform/http/mailing-mutation.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publishChange } from '../../platform/live/live.ts';
import { type MailReport, queueMail } from '../../platform/mail/outbox.sql.ts';
import { getMailOutcome } from '../../platform/mail/send-mail.ts';
import { defineTask } from '../../platform/queue/task.ts';
import { mustConfirmEmail } from '../auth/confirm-email.ts';
import { readIssuer } from '../company/company.sql.ts';
import { recordEvent } from '../history/history.sql.ts';
import { buildQuoteMail } from './quote.mail.ts';
import { buildQuoteContent } from './quote-content.sql.ts';
import { findQuoteMail, insertQuoteMail, markQuoteMailRequeued, type QuoteMailRow } from './quote-mails.sql.ts';
import { changeQuoteStatus, lockQuote, quoteRecordType } from './quotes.sql.ts';

export interface SendQuoteResult {
  readonly quote: Quote;
  readonly mail: 'queued' | 'kept';
}

interface SendQuoteInput {
  readonly id: string;
  readonly mail_id: string;
  readonly subject: string;
  readonly body: string;
}

/** Emails the quote, and marks it as sent if a mail server is configured. Idempotent by `mail_id`. */
export async function sendQuote(scope: TenantScope, context: MailingContext, request: SendQuoteInput): Promise<SendQuoteResult> {
  const { id, mail_id, subject, body } = request;
  // Lock the company before the quote to prevent deadlocks. This lock also protects the sender's login, which the email references.
  await lockCompany(scope, scope.companyId);
  await lockQuote(scope, id);
  const quote = await readRecord(scope, quoteRecordType, id);
  const earlier = await findQuoteMail(scope, mail_id);
  if (earlier) {
    if (earlier.quote_id !== id || earlier.subject !== subject || earlier.body !== body) throw toFailure(idTakenError);
    return { quote, mail: toMailOutcome(earlier) };
  }
  const recipient = await requireRecipientEmail(scope, context, quote);
  const status = getMailOutcome(context.platform.config);
  const message = { recipient, subject, body };
  const outboxId = await queueQuoteMail(scope, context.platform, quote, message);
  const isNew = await insertQuoteMail(scope, { id: mail_id, quote_id: id, kind: 'quote', mail_id: outboxId, ...message, status });
  // A concurrent request has used the same id for another quote.
  if (!isNew) throw toFailure(idTakenError);
  if (status === 'queued') await markQuoteSent(scope, quote, recipient);
  await publishChange(scope, 'quotes');
  return { quote: await readRecord(scope, quoteRecordType, id), mail: status };
}

/** Sends the same message again, to the customer's current email address. Does nothing unless the previous email failed. */
export async function retryQuoteMail(scope: TenantScope, context: MailingContext, id: string): Promise<SendQuoteResult> {
  const found = await findQuoteMail(scope, id);
  if (!found) throw toFailure(quoteMailNotFoundError);
  await lockCompany(scope, scope.companyId);
  await lockQuote(scope, found.quote_id);
  const mail = await findQuoteMail(scope, id);
  if (!mail) throw toFailure(quoteMailNotFoundError);
  const quote = await readRecord(scope, quoteRecordType, mail.quote_id);
  if (mail.status !== 'failed') return { quote, mail: toMailOutcome(mail) };
  const recipient = await requireRecipientEmail(scope, context, quote);
  const status = getMailOutcome(context.platform.config);
  const outboxId = await queueQuoteMail(scope, context.platform, quote, { recipient, subject: mail.subject, body: mail.body });
  await markQuoteMailRequeued(scope, mail, { mail_id: outboxId, recipient, status });
  if (status === 'queued' && mail.kind === 'quote') await markQuoteSent(scope, quote, recipient);
  await publishChange(scope, 'quotes');
  return { quote: await readRecord(scope, quoteRecordType, quote.id), mail: status };
}

const toMailOutcome = ({ status }: Pick<QuoteMailRow, 'status'>) => (status === 'kept' ? 'kept' : 'queued');

/** Checks everything that could prevent emailing the customer, and returns the customer's email address. */
async function requireRecipientEmail(scope: TenantScope, { platform, mailLimiter }: MailingContext, quote: Quote): Promise<string> {
  if (mustConfirmEmail(getPerson(scope.actor), platform.config)) throw toFailure(quoteSenderUnconfirmedError);
  if (!quote.is_actionable) {
    const [status, job_number] = [quote.shown_status, quote.acceptance?.job_number ?? null];
    const why = status === 'expired' ? 'has expired' : `was ${status}`;
    throw createFailure('QUOTE_CLOSED', `This quote ${why}. It can no longer be sent.`, { status, job_number });
  }
  if (!hasQuoteItems(quote.sections)) throw toFailure(nothingToSendError);
  const recipient = quote.customer?.email;
  if (!recipient) throw toFailure(noCustomerEmailError);
  await mailLimiter.enforceRecipientLimits(scope.companyId, recipient);
  await mailLimiter.enforceSenderLimits(scope.companyId);
  return recipient;
}

/** Returns the email's id in the outbox. */
export async function queueQuoteMail(
  scope: TenantScope,
  { appUrl }: Pick<Platform, 'appUrl'>,
  quote: Quote,
  message: Pick<QuoteMailRow, 'recipient' | 'subject' | 'body'>,
): Promise<string> {
  const issuer = await readIssuer(scope);
  const content = buildQuoteContent(quote, issuer);
  const mail = buildQuoteMail({
    ...message,
    document: buildQuoteDocument(content, getInitialSelection(content.sections)),
    logoUrl: issuer.logo_url && `${appUrl}${issuer.logo_url}`,
    url: `${appUrl}${quote.public_path}`,
  });
  return queueMail(scope, { ...mail, reportTask: recordQuoteDeliveryTask });
}

/** Sets `sent_at` to the email's timestamp, which shows that the quote wasn't marked as sent by hand. */
export async function markQuoteSent(scope: TenantScope, { id, status }: Pick<Quote, 'id' | 'status'>, recipient: string): Promise<void> {
  await changeQuoteStatus(scope, id, { from: status, to: 'sent', sent_at: scope.now });
  await recordEvent(scope, 'quote', id, 'sent', { recipient: [null, recipient] });
}

export const recordQuoteDeliveryTask = defineTask<MailReport>('record-quote-delivery');
