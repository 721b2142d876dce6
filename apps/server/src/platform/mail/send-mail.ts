import { mailLink } from '@callout/domain/mail/mail-link';
import { createTransport } from 'nodemailer';
import type pg from 'pg';
import type { Logger } from 'pino';
import { inTransaction } from '../db/transaction.ts';
import { type Attempt, defineTask } from '../queue/task.ts';
import { type HeldMail, holdWaitingMail, markFailed, markKept, markSent } from './outbox.sql.ts';

export interface MailSettings {
  /** Without one, mail is kept in the outbox. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  /** Where links in mails lead. */
  readonly appUrl: string;
}

export interface MailParts {
  /** Held while a mail server takes its time. */
  readonly pool: pg.Pool;
  readonly log: Logger;
  readonly settings: MailSettings;
}

/** A mail server that says nothing must not keep the other mails waiting for ever. */
const SMTP_TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 60_000 };

/** `queue_mail` names this task. */
export const sendMail = defineTask<{ id: string }>('send-mail');

export async function sendQueuedMail(parts: MailParts, id: string, attempt: Attempt): Promise<void> {
  const send = async (client: pg.PoolClient) => {
    const mail = await holdWaitingMail(client, id);
    return mail && deliver(mail, client, parts, attempt);
  };
  // One attempt: what a mail server has taken cannot be rolled back.
  const failed = await inTransaction(parts.pool, send, 1);
  if (!failed) return;
  if (failed.willRetry) throw failed.error;
  // The outbox keeps it as failed, to be sent again: given-up work in the queue would say the same for ever.
  parts.log.warn({ part: 'mail', mail: id, reason: failed.error.message }, 'Mail failed for good');
}

interface FailedDelivery {
  readonly error: Error;
  readonly willRetry: boolean;
}

/** A failed try is written down first and then returned, so that the queue tries again where that may help. */
async function deliver(
  mail: HeldMail,
  client: pg.PoolClient,
  { log, settings }: MailParts,
  attempt: Attempt,
): Promise<FailedDelivery | null> {
  const { smtpUrl, mailFrom, appUrl } = settings;
  if (!smtpUrl) {
    await markKept(client, mail.id);
    // Without a mail server this line is the only way to the link, so it names it on purpose.
    log.warn(
      { mail: mail.id, to: mail.recipient, subject: mail.subject, link: mailLink(mail.text_body, appUrl) },
      'No SMTP_URL: mail kept in the outbox',
    );
    return null;
  }
  try {
    const transport = createTransport({ url: smtpUrl, ...SMTP_TIMEOUTS });
    await transport.sendMail({
      from: mailFrom,
      // One address, never read as a list of several.
      to: { name: '', address: mail.recipient },
      subject: mail.subject,
      text: mail.text_body,
      html: mail.html_body,
      messageId: messageIdOf(mail, appUrl),
    });
    await markSent(client, mail.id);
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error : new Error(String(error));
    const willRetry = !attempt.isLast && !isPermanent(reason);
    await markFailed(client, mail.id, reason.message, willRetry);
    return { error: reason, willRetry };
  }
}

/** A mail server answers 5xx to what it will never take, such as an unknown mailbox. A wrong password of ours can be mended. */
function isPermanent(error: Error): boolean {
  const { responseCode, code } = error as { responseCode?: unknown; code?: unknown };
  return typeof responseCode === 'number' && responseCode >= 500 && responseCode < 600 && code !== 'EAUTH';
}

/** The same for every try, so that a mail which arrived twice is shown once; another when it is sent again on purpose. */
function messageIdOf({ id, sent_at }: HeldMail, appUrl: string): string {
  return `<${id}${sent_at ? `.${sent_at.getTime()}` : ''}@${new URL(appUrl).hostname}>`;
}

/** What to tell the person who caused a mail: nothing pretends to have been sent. */
export function mailOutcome({ smtpUrl }: Pick<MailSettings, 'smtpUrl'>): 'queued' | 'kept' {
  return smtpUrl ? 'queued' : 'kept';
}
