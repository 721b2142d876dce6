import { connect, type Socket } from 'node:net';
import { mailLink } from '@callout/domain/mail/mail';
import { PRODUCT_NAME } from '@callout/domain/product/product';
import { createTransport } from 'nodemailer';
import type pg from 'pg';
import type { Logger } from 'pino';
import { inTransaction } from '../db/transaction.ts';
import { type Attempt, defineTask } from '../queue/task.ts';
import { AttachmentError, type AttachmentMaker, attachedFileOf } from './mail-attachment.ts';
import {
  deleteWithdrawn,
  type HeldMail,
  holdWaitingMail,
  type MailFailure,
  markFailed,
  markKept,
  markSent,
  reportMail,
} from './outbox.sql.ts';

export interface MailSettings {
  /** Without one, mail is kept in the outbox. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  /** Where links in mails lead. */
  readonly appUrl: string;
}

export interface MailParts {
  /** Connections may be held while a mail server responds. */
  readonly pool: pg.Pool;
  readonly log: Logger;
  readonly settings: MailSettings;
  /** Of the files that mails carry. */
  readonly attachmentMakers: readonly AttachmentMaker[];
}

/** An unresponsive mail server must not block the other mails. */
const CONNECT_TIMEOUT_MS = 10_000;
const SMTP_TIMEOUTS = { greetingTimeout: 10_000, socketTimeout: 60_000 };

/** `queue_mail` names this task. */
export const sendMail = defineTask<{ id: string }>('send-mail');

export async function sendQueuedMail(parts: MailParts, id: string, attempt: Attempt): Promise<void> {
  const send = async (client: pg.PoolClient) => {
    const mail = await holdWaitingMail(client, id);
    if (!mail) return null;
    const failure = await deliver(mail, client, parts, attempt);
    if (failure === 'stopped') {
      await sendMail.later(client, { id });
      return null;
    }
    await reportMail(client, mail);
    return failure;
  };
  // One attempt: a sent mail cannot be rolled back.
  const failed = await inTransaction(parts.pool, send, 1);
  if (!failed) return;
  if (failed.willRetry) throw failed.error;
  // The outbox records it as failed and can resend it, so the queue job need not be kept.
  parts.log.warn({ part: 'mail', mail: id, reason: failed.error.message }, 'Mail failed permanently');
}

/**
 * Records a failed delivery and then returns it, so that the queue can retry where that may help. 'stopped' when the server shuts down
 * while the mail server keeps it waiting: that is no failure of the mail.
 */
async function deliver(
  mail: HeldMail,
  client: pg.PoolClient,
  { log, settings, attachmentMakers }: MailParts,
  attempt: Attempt,
): Promise<MailFailure | 'stopped' | null> {
  const { smtpUrl, mailFrom, appUrl } = settings;
  if (!smtpUrl) {
    await markKept(client, mail.id);
    // Without a mail server the log is the only way to get the link, so it is logged on purpose.
    log.warn(
      { mail: mail.id, to: mail.recipient, subject: mail.subject, link: mailLink(mail.text_body, appUrl) },
      'No SMTP_URL: mail kept in the outbox',
    );
    return null;
  }
  try {
    const file = await attachedFileOf(mail, attachmentMakers);
    // Making the file can take its time, in which an invoice is paid or replaced.
    if (file && (await deleteWithdrawn(client, mail.id))) return null;
    const transport = createTransport({ url: smtpUrl, ...SMTP_TIMEOUTS, getSocket: connectUntil(attempt.signal) });
    await transport.sendMail({
      from: senderOf(mail, mailFrom),
      // An object, so that it is never parsed as a list of recipients.
      to: { name: '', address: mail.recipient },
      subject: subjectHeader(mail.subject),
      text: mail.text_body,
      html: mail.html_body,
      // An object, which the mail library encodes: a name can't add a header or another address.
      ...(mail.reply_to && { replyTo: { name: plainName(mail.reply_to.name), address: mail.reply_to.address } }),
      ...(file && { attachments: [{ filename: file.name, contentType: file.type, content: Buffer.from(file.bytes) }] }),
      messageId: messageIdOf(mail, appUrl),
    });
    await markSent(client, mail.id);
    return null;
  } catch (error) {
    if (attempt.signal.aborted) return 'stopped';
    const reason = error instanceof Error ? error : new Error(String(error));
    const failure = { error: reason, problem: mailProblem(reason), willRetry: !attempt.isLast && !isPermanent(reason) };
    await markFailed(client, mail.id, failure);
    return failure;
  }
}

/** The server's own address, since nobody else's would pass the checks of mail servers; the name may be a company's. */
function senderOf({ reply_to }: HeldMail, mailFrom: string): string | { name: string; address: string } {
  if (!reply_to?.isSender || !reply_to.name) return mailFrom;
  const address = /<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom;
  return { name: `${plainName(reply_to.name)} via ${PRODUCT_NAME}`, address };
}

/** What somebody typed is never read as an encoding: a subject that looks like one is encoded itself. */
function subjectHeader(subject: string): string {
  if (!subject.includes('=?')) return subject;
  // An encoded word has at most 75 characters.
  const parts = subject.replaceAll(/[\r\n]+/g, ' ').match(/.{1,10}/gsu) ?? [];
  return parts.map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`).join(' ');
}

/** The same for names, which many mail programs also read within quotation marks: an encoding could hide what names must not have. */
const plainName = (name: string) => name.replaceAll('=?', '= ?');

interface SmtpServer {
  readonly host?: string | undefined;
  readonly port?: number | string | undefined;
  readonly secure?: boolean | undefined;
}

/** Opens the connection to the mail server, which ends with the signal, however long the mail server would wait. */
function connectUntil(signal: AbortSignal) {
  return (
    { host = 'localhost', port, secure }: SmtpServer,
    opened: (error: Error | null, socket?: { connection: Socket }) => void,
  ): void => {
    const socket = connect({ host, port: Number(port) || (secure ? 465 : 587), signal });
    const late = () => socket.destroy(new Error('Connection timeout'));
    const failed = (error: Error) => opened(error);
    socket.setTimeout(CONNECT_TIMEOUT_MS, late);
    socket.once('error', failed);
    socket.once('connect', () => {
      socket.off('timeout', late).off('error', failed);
      opened(null, { connection: socket });
    });
  };
}

/** The enhanced codes of RFC 3463 that mean the recipient's address. Others of 5.1, such as 5.1.8, mean the sender's. */
const WRONG_ADDRESS = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10']);

/**
 * Why a mail was not delivered, for people who don't know mail servers. Only an enhanced code proves a wrong address: mail servers also
 * answer 550 to what they take for spam.
 */
function mailProblem(error: Error): string {
  if (error instanceof AttachmentError) return 'The attached file could not be made.';
  const { responseCode } = error as { responseCode?: unknown };
  const code = /\b[45]\d\d[ -]([45]\.\d{1,3}\.\d{1,3})\b/.exec(error.message)?.[1] ?? '';
  // With an enhanced code, 552 can also mean a message that is too large (5.3.4).
  if (/^[45]\.2\.2$/.test(code) || (code === '' && responseCode === 552)) return 'Their mailbox is full.';
  if (WRONG_ADDRESS.has(code)) return 'This email address does not exist. Please check it for typos.';
  if (isPermanent(error)) return 'Their mail server refused the message.';
  return typeof responseCode === 'number' && responseCode < 500
    ? 'Their mail server is not accepting mail right now.'
    : 'The mail server could not be reached.';
}

/** A 5xx reply is permanent, such as an unknown mailbox. Failed authentication can be fixed, so it is not. */
function isPermanent(error: Error): boolean {
  const { responseCode, code } = error as { responseCode?: unknown; code?: unknown };
  return typeof responseCode === 'number' && responseCode >= 500 && responseCode < 600 && code !== 'EAUTH';
}

/** The same for every retry, so that mail clients show a duplicate once; different when it is resent on purpose. */
function messageIdOf({ id, sent_at }: HeldMail, appUrl: string): string {
  return `<${id}${sent_at ? `.${sent_at.getTime()}` : ''}@${new URL(appUrl).hostname}>`;
}

/** The outcome to show to the user, so that an unsent mail is never reported as sent. */
export function mailOutcome({ smtpUrl }: Pick<MailSettings, 'smtpUrl'>): 'queued' | 'kept' {
  return smtpUrl ? 'queued' : 'kept';
}
