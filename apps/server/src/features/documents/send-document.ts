import { mailNotFoundError, noCustomerEmailError } from '@callout/contract/documents';
import { idTakenError } from '@callout/contract/errors';
import { getPerson } from '../../platform/db/actor.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { toFailure } from '../../platform/errors/failures.ts';
import type { MailingContext } from '../../platform/http/mailing-mutation.ts';
import { publishChange } from '../../platform/live/live.ts';
import { queueMail } from '../../platform/mail/outbox.sql.ts';
import { getMailOutcome } from '../../platform/mail/send-mail.ts';
import { mustConfirmEmail } from '../auth/confirm-email.ts';
import type { DocumentKind, DocumentMailer, MailMessage, MailText } from './document-kind.ts';
import { type DocumentMail, findDocumentMail, insertDocumentMail, markMailRequeued } from './document-mails.sql.ts';

/** 'kept' means that the email stays in the outbox, because no mail server is configured. */
export type MailOutcome = 'queued' | 'kept';

/** Returns the outcome that was reported when the email was first sent. */
export const getEarlierOutcome = ({ status }: Pick<DocumentMail, 'status'>): MailOutcome => (status === 'kept' ? 'kept' : 'queued');

/** Throws if the customer has no email address, or if the sender hasn't confirmed their own. */
export function requireRecipient(
  scope: TenantScope,
  { platform }: MailingContext,
  { unconfirmedSender }: Pick<DocumentKind<never>, 'unconfirmedSender'>,
  recipient: string | null,
): string {
  if (mustConfirmEmail(getPerson(scope.actor), platform.config)) throw toFailure(unconfirmedSender);
  if (!recipient) throw toFailure(noCustomerEmailError);
  return recipient;
}

/** Must run after all other checks, so that rejected requests don't count toward the limits. */
async function enforceMailLimits(scope: TenantScope, { mailLimiter }: MailingContext, recipient: string): Promise<void> {
  await mailLimiter.enforceRecipientLimits(scope.companyId, recipient);
  await mailLimiter.enforceSenderLimits(scope.companyId);
}

/** Adds the email to the outbox and returns its id there. */
export async function queueDocumentMail<Document>(
  scope: TenantScope,
  { deliveryTask: reportTask }: DocumentKind<Document>,
  mailer: DocumentMailer,
  message: MailMessage,
  appUrl: string,
): Promise<string> {
  return queueMail(scope, { ...(await mailer.buildMail(message, appUrl)), reportTask });
}

interface NewDocumentMail<Document> {
  readonly id: string;
  readonly document: Document;
  readonly mailer: DocumentMailer;
  readonly recipient: string;
  readonly text: MailText;
}

/** Emails the document under the mail's id, and marks it as sent if a mail server is configured. */
export async function sendDocument<Document extends { readonly id: string }>(
  scope: TenantScope,
  context: MailingContext,
  kind: DocumentKind<Document>,
  { id, document, mailer, recipient, text }: NewDocumentMail<Document>,
): Promise<MailOutcome> {
  const { config, appUrl } = context.platform;
  await enforceMailLimits(scope, context, recipient);
  const status = getMailOutcome(config);
  const message = { recipient, ...text };
  const mail_id = await queueDocumentMail(scope, kind, mailer, message, appUrl);
  const isNew = await insertDocumentMail(scope, kind.mails, { id, document_id: document.id, kind: kind.name, mail_id, status, ...message });
  // A concurrent request has used the same id for another document.
  if (!isNew) throw toFailure(idTakenError);
  if (status === 'queued') await kind.markSent(scope, document, recipient);
  await publishChange(scope, kind.topic);
  return status;
}

/** Sends the email again, to the customer's current email address. Does nothing unless the previous attempt failed. */
export async function retryDocumentMail<Document extends { readonly id: string }>(
  scope: TenantScope,
  context: MailingContext,
  kind: DocumentKind<Document>,
  id: string,
): Promise<{ readonly document: Document; readonly mail: MailOutcome }> {
  const found = await findDocumentMail(scope, kind.mails, id);
  if (found) await kind.lock(scope, found.document_id);
  const mail = found && (await findDocumentMail(scope, kind.mails, id));
  if (!mail) throw toFailure(mailNotFoundError);
  const document = await kind.find(scope, mail.document_id);
  if (!document) throw toFailure(kind.notFound);
  if (mail.status !== 'failed') return { document, mail: getEarlierOutcome(mail) };
  const mailer = await kind.prepareMail(scope, document);
  mailer.requireSendable(mail.kind);
  const recipient = requireRecipient(scope, context, kind, mailer.recipient);
  await enforceMailLimits(scope, context, recipient);
  const { config, appUrl } = context.platform;
  const status = getMailOutcome(config);
  const message = { recipient, ...(await mailer.rebuildText(mail)) };
  const mail_id = await queueDocumentMail(scope, kind, mailer, message, appUrl);
  await markMailRequeued(scope, kind.mails, mail, { mail_id, status, ...message });
  if (status === 'queued' && mail.kind !== 'reminder') await kind.markSent(scope, document, recipient);
  await publishChange(scope, kind.topic);
  return { document, mail: status };
}
