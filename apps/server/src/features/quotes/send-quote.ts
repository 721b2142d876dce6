import { idTakenError } from '@callout/contract/errors';
import { nothingToSendError, type Quote, quoteNotFoundError, unconfirmedQuoteSenderError } from '@callout/contract/quotes';
import { getInitialSelection, hasQuoteItems } from '@callout/domain/quotes/quote';
import { buildQuoteDocument } from '@callout/domain/quotes/quote-document';
import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { createFailure, toFailure } from '../../platform/errors/failures.ts';
import type { MailingContext } from '../../platform/http/mailing-mutation.ts';
import { readIssuer } from '../company/company.sql.ts';
import { type DocumentKind, type DocumentMailer, defineDocument } from '../documents/document-kind.ts';
import { findDocumentMail, hasQueuedOrDeliveredMail } from '../documents/document-mails.sql.ts';
import { findDueDocument } from '../documents/document-reminders.sql.ts';
import { getEarlierOutcome, type MailOutcome, requireRecipient, retryDocumentMail, sendDocument } from '../documents/send-document.ts';
import { recordEvent } from '../history/history.sql.ts';
import { buildQuoteMail, buildQuoteReminder } from './quote.mail.ts';
import { buildQuoteContent } from './quote-content.ts';
import { QUOTE_REMINDER_RULE, wasMarkedSentByMail } from './quote-mails.sql.ts';
import { changeQuoteStatus, findQuote, lockQuote, quoteRecordType } from './quotes.sql.ts';
import { quote_mails } from './quotes.table.ts';

export const QUOTE_DOCUMENT: DocumentKind<Quote> = defineDocument<Quote>(
  {
    name: 'quote',
    topic: 'quotes',
    mails: quote_mails,
    notFound: quoteNotFoundError,
    unconfirmedSender: unconfirmedQuoteSenderError,
    reminderRule: QUOTE_REMINDER_RULE,
    find: findQuote,
    lock: lockQuote,
    prepareMail: prepareQuoteMail,
    isReminderDue: async (scope, id) => (await findDueDocument(scope, QUOTE_REMINDER_RULE, id)) !== null,
    describe: ({ id, quote_number, customer }) => ({
      label: `quote ${quote_number}`,
      customerName: customer?.name ?? null,
      history: { kind: 'quote', id, changes: {} },
      notificationData: { quote_id: id },
    }),
    markSent: markQuoteSent,
    markResent: async (scope, quote, recipient) => {
      if (quote.status === 'draft') await markQuoteSent(scope, quote, recipient);
    },
    markUndelivered: revertToDraftIfUnsent,
  },
  // More than any company sends in an hour, but too few to be useful for spam.
  { perCompanyAndHour: 100, perNetworkAndDay: 300 },
);

export interface SendQuoteResult {
  readonly quote: Quote;
  readonly mail: MailOutcome;
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
  await lockQuote(scope, id);
  const quote = await readRecord(scope, quoteRecordType, id);
  const earlier = await findDocumentMail(scope, quote_mails, mail_id);
  if (earlier) {
    if (earlier.document_id !== id || earlier.subject !== subject || earlier.body !== body) throw toFailure(idTakenError);
    return { quote, mail: getEarlierOutcome(earlier) };
  }
  const mailer = await prepareQuoteMail(scope, quote);
  mailer.requireSendable('quote');
  const recipient = requireRecipient(scope, context, QUOTE_DOCUMENT, mailer.recipient);
  const mail = await sendDocument(scope, context, QUOTE_DOCUMENT, {
    id: mail_id,
    document: quote,
    mailer,
    recipient,
    text: { subject, body },
  });
  return { quote: await readRecord(scope, quoteRecordType, id), mail };
}

export async function retryQuoteMail(scope: TenantScope, context: MailingContext, id: string): Promise<SendQuoteResult> {
  const { document, mail } = await retryDocumentMail(scope, context, QUOTE_DOCUMENT, id);
  return { quote: await readRecord(scope, quoteRecordType, document.id), mail };
}

async function prepareQuoteMail(scope: TenantScope, quote: Quote): Promise<DocumentMailer> {
  const issuer = await readIssuer(scope);
  const hasItems = hasQuoteItems(quote.sections);
  return {
    recipient: quote.customer?.email || null,
    canRemind: quote.is_actionable && hasItems,
    requireSendable: () => {
      requireActionable(quote);
      if (!hasItems) throw toFailure(nothingToSendError);
    },
    buildReminder: async () => buildQuoteReminder(quote, issuer),
    // The sender wrote the text.
    rebuildText: async ({ subject, body }) => ({ subject, body }),
    buildMail: async (message, appUrl) => {
      const content = buildQuoteContent(quote, issuer);
      return buildQuoteMail({
        ...message,
        document: buildQuoteDocument(content, getInitialSelection(content.sections)),
        logoUrl: issuer.logo_url && `${appUrl}${issuer.logo_url}`,
        url: `${appUrl}${quote.public_path}`,
      });
    },
  };
}

function requireActionable({ is_actionable, shown_status: status, acceptance }: Quote): void {
  if (is_actionable) return;
  const why = status === 'expired' ? 'has expired' : `was ${status}`;
  const job_number = acceptance?.job_number ?? null;
  throw createFailure('QUOTE_CLOSED', `This quote ${why}. It can no longer be sent.`, { status, job_number });
}

/** Sets `sent_at` to the email's timestamp, which shows that the quote wasn't marked as sent by hand. */
async function markQuoteSent(scope: TenantScope, { id, status }: Pick<Quote, 'id' | 'status'>, recipient: string): Promise<void> {
  await changeQuoteStatus(scope, id, { from: status, to: 'sent', sent_at: scope.now });
  await recordEvent(scope, 'quote', id, 'sent', { recipient: [null, recipient] });
}

/** Reverts the quote to a draft, unless another email was delivered or is queued, or someone marked it as sent by hand. */
async function revertToDraftIfUnsent(scope: TenantScope, { id, status, sent_at }: Quote): Promise<void> {
  if (status !== 'sent' || sent_at === null) return;
  if ((await hasQueuedOrDeliveredMail(scope, quote_mails, id)) || !(await wasMarkedSentByMail(scope, id, sent_at))) return;
  await changeQuoteStatus(scope, id, { from: 'sent', to: 'draft', sent_at: null });
}
