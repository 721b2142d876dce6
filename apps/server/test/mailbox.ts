import { vi } from 'vitest';
import { type Mail, startMailServer } from '../../../e2e/support/mail-server.ts';
import { createPools } from '../src/platform/db/pools.ts';
import type { AttachmentMaker } from '../src/platform/mail/mail-attachment.ts';
import { createMailer } from '../src/platform/mail/send-mail.ts';
import type { TestApp } from './test-app.ts';

export interface Mailbox {
  /** Environment variables that make the server send its email to this mailbox. */
  readonly environment: { readonly SMTP_URL: string; readonly MAIL_FROM: string };
  /** All received emails, oldest first. */
  readonly mails: readonly Mail[];
  listMailsTo(email: string): Mail[];
  /** Waits for the first email to `email`. */
  waitForMail(email: string): Promise<Mail>;
  /** Sets a hook that runs before each email is accepted. If the hook throws, the email is rejected. */
  beforeAccept(hook: (mail: Mail) => void | Promise<void>): void;
  stop(): Promise<void>;
  restart(): Promise<void>;
}

/** Starts a real SMTP server that stores the emails it receives. */
export async function startMailbox(): Promise<Mailbox> {
  const mails: Mail[] = [];
  let beforeAccept: (mail: Mail) => void | Promise<void> = () => undefined;
  const acceptMail = async (mail: Mail) => {
    await beforeAccept(mail);
    mails.push(mail);
  };
  let server = await startMailServer(acceptMail);
  const { port } = server;
  const listMailsTo = (email: string) => mails.filter((mail) => mail.to.includes(email.toLowerCase()));
  return {
    environment: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Callout <callout@localhost>' },
    mails,
    listMailsTo,
    waitForMail: (email) =>
      vi
        .waitUntil(() => listMailsTo(email)[0], { timeout: 20_000, interval: 5 })
        .catch(() => {
          throw new Error(`No mail was sent to ${email}`);
        }),
    beforeAccept(hook) {
      beforeAccept = hook;
    },
    stop: () => server.stop(),
    async restart() {
      server = await startMailServer(acceptMail, port);
    },
  };
}

/** Sends the email to `recipient` that a server without SMTP settings kept in its outbox. */
export async function sendKeptMail(
  { app, logins, owner }: TestApp,
  { environment }: Mailbox,
  recipient: string,
  attachmentMakers: readonly AttachmentMaker[] = [],
): Promise<void> {
  const { rows } = await owner.query<{ id: string }>('select id from outbox_mails where recipient = $1', [recipient]);
  const pools = createPools(logins, 1, () => undefined);
  const settings = { mailFrom: environment.MAIL_FROM, smtpUrl: environment.SMTP_URL, appUrl: app.platform.appUrl };
  const mailer = createMailer({ pool: pools.work, log: app.platform.log, settings, attachmentMakers });
  await mailer.sendQueuedMail(rows[0]?.id ?? '', { isLast: false, signal: new AbortController().signal });
  mailer.close();
  await pools.end();
}
