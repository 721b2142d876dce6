import { findMailLink } from '@callout/domain/mail/mail';
import { PRODUCT_NAME } from '@callout/domain/product/product';
import { createTransport, type Transporter } from 'nodemailer';
import type pg from 'pg';
import type { Logger } from 'pino';
import { MAIL_WORKER_COUNT } from '../db/pools.ts';
import { runInTransaction } from '../db/transaction.ts';
import { defineTask, type TaskAttempt } from '../queue/task.ts';
import { TELEMETRY_OFF, type Telemetry } from '../telemetry/telemetry.ts';
import { AttachmentError, type AttachmentMaker, makeAttachedFile } from './mail-attachment.ts';
import {
  deleteMailIfWithdrawn,
  lockUnsentMail,
  type MailFailure,
  markMailFailed,
  markMailKept,
  markMailSent,
  queueMailReport,
  type UnsentMail,
} from './outbox.sql.ts';

export interface MailSettings {
  /** If undefined, email stays in the outbox. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  /** The base URL of links in emails. */
  readonly appUrl: string;
}

export interface MailDependencies {
  /** A pool with connections that may be held while waiting for a mail server. */
  readonly pool: pg.Pool;
  readonly log: Logger;
  readonly settings: MailSettings;
  readonly attachmentMakers: readonly AttachmentMaker[];
  readonly telemetry?: Pick<Telemetry, 'measureWork'>;
}

/** Keeps connections open from one email to the next. Failed emails are retried by the queue alone, so that they are recorded. */
const SMTP_POOL = { pool: true as const, maxConnections: MAIL_WORKER_COUNT, maxRequeues: 0, idleTimeout: 10_000 };
/** An unresponsive mail server must not block other emails. */
const SMTP_TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 60_000 };

/** The SQL function `queue_mail` refers to this task by its name. */
export const sendMailTask = defineTask<{ id: string }>('send-mail');

export interface Mailer {
  sendQueuedMail(id: string, attempt: TaskAttempt): Promise<void>;
  close(): void;
}

export function createMailer(dependencies: MailDependencies): Mailer {
  const { smtpUrl } = dependencies.settings;
  const transport = smtpUrl ? createTransport({ url: smtpUrl, ...SMTP_POOL, ...SMTP_TIMEOUTS }) : null;
  return {
    sendQueuedMail: (id, attempt) => sendQueuedMail({ ...dependencies, transport }, id, attempt),
    close: () => transport?.close(),
  };
}

interface DeliveryDependencies extends MailDependencies {
  /** Null without a mail server. */
  readonly transport: Transporter | null;
}

async function sendQueuedMail(dependencies: DeliveryDependencies, id: string, attempt: TaskAttempt): Promise<void> {
  const send = async (client: pg.PoolClient) => {
    const mail = await lockUnsentMail(client, id);
    if (!mail) return null;
    const failure = await deliverMail(mail, client, dependencies, attempt);
    if (failure === 'stopped') {
      await sendMailTask.queue(client, { id });
      return null;
    }
    await queueMailReport(client, mail);
    return failure;
  };
  // The transaction gets only one attempt, because a sent email can't be rolled back.
  const failed = await runInTransaction(dependencies.pool, send, 1);
  if (!failed) return;
  if (failed.willRetry) throw failed.error;
  // The outbox has recorded the failure, and the email can be resent from there, so the queue job is done.
  dependencies.log.warn({ part: 'mail', mail: id, reason: failed.error.message }, 'Email failed permanently');
}

/**
 * Sends an email. If that fails, records the failure and returns it, so that the queue can retry. Returns 'stopped' if the server shuts
 * down while it waits for the mail server, which doesn't count as a failure.
 */
async function deliverMail(
  mail: UnsentMail,
  client: pg.PoolClient,
  { log, settings, attachmentMakers, transport, telemetry = TELEMETRY_OFF }: DeliveryDependencies,
  attempt: TaskAttempt,
): Promise<MailFailure | 'stopped' | null> {
  const { mailFrom, appUrl } = settings;
  if (!transport) {
    await markMailKept(client, mail.id);
    // Without a mail server, the log is the only way to get the link, so it is logged on purpose.
    log.warn(
      { mail: mail.id, to: mail.recipient, subject: mail.subject, link: findMailLink(mail.text_body, appUrl) },
      'No SMTP_URL: email stays in the outbox',
    );
    return null;
  }
  // The server shuts down and can't wait for the mail server any longer.
  const abort = () => transport.close({ force: true });
  attempt.signal.addEventListener('abort', abort);
  try {
    const file = await makeAttachedFile(mail, attachmentMakers);
    // Building the file takes time, during which an invoice may be paid or replaced, so check again whether the email was withdrawn.
    if (file && (await deleteMailIfWithdrawn(client, mail.id))) return null;
    const message = {
      from: getSender(mail, mailFrom),
      // Pass an object, because a string would be parsed as a list of recipients.
      to: { name: '', address: mail.recipient },
      subject: toSubjectHeader(mail.subject),
      text: mail.text_body,
      html: mail.html_body,
      // Pass an object, which the mail library encodes, so that a name can't add a header or another recipient.
      ...(mail.reply_to && { replyTo: { name: toPlainName(mail.reply_to.name), address: mail.reply_to.address } }),
      ...(file && { attachments: [{ filename: file.name, contentType: file.type, content: Buffer.from(file.bytes) }] }),
      messageId: buildMessageId(mail, appUrl),
    };
    await telemetry.measureWork('email', 'delivery', () => transport.sendMail(message));
    await markMailSent(client, mail.id);
    return null;
  } catch (error) {
    if (attempt.signal.aborted) return 'stopped';
    const reason = error instanceof Error ? error : new Error(String(error));
    const failure = { error: reason, problem: formatMailProblem(reason), willRetry: !attempt.isLast && !isPermanentFailure(reason) };
    await markMailFailed(client, mail.id, failure);
    return failure;
  } finally {
    attempt.signal.removeEventListener('abort', abort);
  }
}

/** Returns the sender. Mail servers would reject any address but the server's own, so only the name may be the company's. */
function getSender({ reply_to }: UnsentMail, mailFrom: string): string | { name: string; address: string } {
  if (!reply_to?.isSender || !reply_to.name) return mailFrom;
  const address = /<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom;
  return { name: `${toPlainName(reply_to.name)} via ${PRODUCT_NAME}`, address };
}

/** Encodes a subject that looks like an encoded word, so that mail clients show it as typed. */
function toSubjectHeader(subject: string): string {
  if (!subject.includes('=?')) return subject;
  // An encoded word may have at most 75 characters, so encode the subject in parts.
  const parts = subject.replaceAll(/[\r\n]+/g, ' ').match(/.{1,10}/gsu) ?? [];
  return parts.map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`).join(' ');
}

/** Breaks up encoded words in a name. Many mail clients decode them even inside quotes, so they could hide forbidden characters. */
const toPlainName = (name: string) => name.replaceAll('=?', '= ?');

/** Enhanced status codes (RFC 3463) that mean a wrong recipient. Other 5.1 codes, such as 5.1.8, are about the sender. */
const WRONG_ADDRESS_CODES = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10']);

/**
 * Explains a failed delivery to people who know nothing about mail servers. Only an enhanced code proves that the address is wrong, because
 * mail servers also reply 550 to suspected spam.
 */
function formatMailProblem(error: Error): string {
  if (error instanceof AttachmentError) return 'The attachment could not be created.';
  const { responseCode } = error as { responseCode?: unknown };
  const code = /\b[45]\d\d[ -]([45]\.\d{1,3}\.\d{1,3})\b/.exec(error.message)?.[1] ?? '';
  // With an enhanced code, 552 can also mean that the message is too large (5.3.4).
  if (/^[45]\.2\.2$/.test(code) || (code === '' && responseCode === 552)) return 'Their mailbox is full.';
  if (WRONG_ADDRESS_CODES.has(code)) return 'This email address does not exist. Please check it for typos.';
  if (isPermanentFailure(error)) return 'Their mail server refused the message.';
  return typeof responseCode === 'number' && responseCode < 500
    ? 'Their mail server is not accepting email right now.'
    : 'The mail server could not be reached.';
}

/** Returns true for a 5xx reply, such as for an unknown mailbox. A failed authentication isn't permanent, because it can be fixed. */
function isPermanentFailure(error: Error): boolean {
  const { responseCode, code } = error as { responseCode?: unknown; code?: unknown };
  return typeof responseCode === 'number' && responseCode >= 500 && responseCode < 600 && code !== 'EAUTH';
}

/** Builds the Message-ID. Retries share an id, so that mail clients show duplicates only once. A deliberate resend gets a new id. */
function buildMessageId({ id, sent_at }: UnsentMail, appUrl: string): string {
  return `<${id}${sent_at ? `.${sent_at.getTime()}` : ''}@${new URL(appUrl).hostname}>`;
}

/** Returns the outcome to show to the user, so that an unsent email is never reported as sent. */
export function getMailOutcome({ smtpUrl }: Pick<MailSettings, 'smtpUrl'>): 'queued' | 'kept' {
  return smtpUrl ? 'queued' : 'kept';
}
