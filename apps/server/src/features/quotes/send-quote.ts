import { idTaken } from '@callout/contract/errors';
import { noCustomerEmail, nothingToSend, type Quote, quoteMailNotFound, senderUnconfirmed } from '@callout/contract/quotes';
import { hasItems, initialSelection } from '@callout/domain/quotes/quote';
import { quoteDocument } from '@callout/domain/quotes/quote-document';
import { personOf } from '../../platform/db/actor.ts';
import { lockCompany } from '../../platform/db/company-lock.sql.ts';
import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failure, failureOf } from '../../platform/errors/failures.ts';
import type { MailingContext } from '../../platform/http/mailing-mutation.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publishChange } from '../../platform/live/live.ts';
import { type MailReport, queueMail } from '../../platform/mail/outbox.sql.ts';
import { mailOutcome } from '../../platform/mail/send-mail.ts';
import { defineTask } from '../../platform/queue/task.ts';
import { mustConfirmEmail } from '../auth/confirm-own-email.ts';
import { readIssuer } from '../company/company.sql.ts';
import { recordEvent } from '../history/history.sql.ts';
import { quoteEmail } from './quote.mail.ts';
import { quoteContent } from './quote-content.sql.ts';
import { findQuoteMail, insertQuoteMail, type QuoteMailRow, restartQuoteMail } from './quote-mails.sql.ts';
import { changeQuoteStatus, lockQuote, quoteRecord } from './quotes.sql.ts';

export interface SentQuote {
  readonly quote: Quote;
  readonly mail: 'queued' | 'kept';
}

interface QuoteMailRequest {
  readonly id: string;
  readonly mail_id: string;
  readonly subject: string;
  readonly body: string;
}

/** Mails the customer the link to a quote, once per `mail_id`. A draft is 'sent' from then on, unless this server sends no mail. */
export async function sendQuote(scope: TenantScope, context: MailingContext, request: QuoteMailRequest): Promise<SentQuote> {
  const { id, mail_id, subject, body } = request;
  // First, as everywhere: the sender's login, which a mail refers to, is changed under this lock too.
  await lockCompany(scope, scope.companyId);
  await lockQuote(scope, id);
  const quote = await readRecord(scope, quoteRecord, id);
  const earlier = await findQuoteMail(scope, mail_id);
  if (earlier) {
    if (earlier.quote_id !== id || earlier.subject !== subject || earlier.body !== body) throw failureOf(idTaken);
    return { quote, mail: outcomeOf(earlier) };
  }
  const recipient = await requireRecipient(scope, context, quote);
  const status = mailOutcome(context.platform.config);
  const outboxId = await queueQuoteMail(scope, context.platform, quote, { recipient, subject, body });
  const isNew = await insertQuoteMail(scope, {
    id: mail_id,
    quote_id: id,
    kind: 'quote',
    mail_id: outboxId,
    recipient,
    subject,
    body,
    status,
  });
  // Another quote was mailed under this id at the same time.
  if (!isNew) throw failureOf(idTaken);
  if (status === 'queued') await markQuoteSent(scope, quote, recipient);
  await publishChange(scope, 'quotes');
  return { quote: await readRecord(scope, quoteRecord, id), mail: status };
}

/** The same words to the customer's email as it is now. Nothing happens when the mail has not failed, or is being sent again already. */
export async function retryQuoteMail(scope: TenantScope, context: MailingContext, id: string): Promise<SentQuote> {
  const found = await findQuoteMail(scope, id);
  if (!found) throw failureOf(quoteMailNotFound);
  await lockCompany(scope, scope.companyId);
  await lockQuote(scope, found.quote_id);
  const mail = await findQuoteMail(scope, id);
  if (!mail) throw failureOf(quoteMailNotFound);
  const quote = await readRecord(scope, quoteRecord, mail.quote_id);
  if (mail.status !== 'failed') return { quote, mail: outcomeOf(mail) };
  const recipient = await requireRecipient(scope, context, quote);
  const status = mailOutcome(context.platform.config);
  const outboxId = await queueQuoteMail(scope, context.platform, quote, { recipient, subject: mail.subject, body: mail.body });
  await restartQuoteMail(scope, mail, { mail_id: outboxId, recipient, status });
  if (status === 'queued' && mail.kind === 'quote') await markQuoteSent(scope, quote, recipient);
  await publishChange(scope, 'quotes');
  return { quote: await readRecord(scope, quoteRecord, quote.id), mail: status };
}

const outcomeOf = ({ status }: Pick<QuoteMailRow, 'status'>) => (status === 'kept' ? 'kept' : 'queued');

/** The checks before a person mails a customer; returns the customer's email. */
async function requireRecipient(scope: TenantScope, { platform, limits }: MailingContext, quote: Quote): Promise<string> {
  if (mustConfirmEmail(personOf(scope.actor), platform.config)) throw failureOf(senderUnconfirmed);
  if (!quote.is_actionable) {
    const [status, job_number] = [quote.shown_status, quote.acceptance?.job_number ?? null];
    const why = status === 'expired' ? 'has expired' : `was ${status}`;
    throw failure('QUOTE_CLOSED', `This quote ${why}. It can no longer be sent.`, { status, job_number });
  }
  if (!hasItems(quote.sections)) throw failureOf(nothingToSend);
  const recipient = quote.customer?.email;
  if (!recipient) throw failureOf(noCustomerEmail);
  await limits.limitMailsTo(scope.companyId, recipient);
  await limits.limitSender(scope.companyId);
  return recipient;
}

/** Puts the mail into the outbox, with the quote as the customer finds it when they open it. */
export async function queueQuoteMail(
  scope: TenantScope,
  { appUrl }: Pick<Platform, 'appUrl'>,
  quote: Quote,
  letter: Pick<QuoteMailRow, 'recipient' | 'subject' | 'body'>,
): Promise<string> {
  const issuer = await readIssuer(scope);
  const content = quoteContent(quote, issuer);
  const mail = quoteEmail({
    ...letter,
    document: quoteDocument(content, initialSelection(content.sections)),
    logoUrl: issuer.logo_url && `${appUrl}${issuer.logo_url}`,
    url: `${appUrl}${quote.public_path}`,
  });
  return queueMail(scope, { ...mail, report: recordQuoteDelivery });
}

/** At the moment of the mail, which tells a quote that was mailed from one that was marked by hand. */
export async function markQuoteSent(scope: TenantScope, { id, status }: Pick<Quote, 'id' | 'status'>, recipient: string): Promise<void> {
  await changeQuoteStatus(scope, id, { from: status, to: 'sent', sent_at: scope.now });
  await recordEvent(scope, 'quote', id, 'sent', { recipient: [null, recipient] });
}

export const recordQuoteDelivery = defineTask<MailReport>('record-quote-delivery');
