import { vi } from 'vitest';
import { type Mail, startMailServer } from '../../../e2e/support/mail-server.ts';

export interface Mailbox {
  /** The values of SMTP_URL and MAIL_FROM. */
  readonly environment: { readonly SMTP_URL: string; readonly MAIL_FROM: string };
  /** Everything received, oldest first. */
  readonly mails: readonly Mail[];
  mailsTo(email: string): Mail[];
  /** Waits for the first mail sent to this email. */
  mailTo(email: string): Promise<Mail>;
  /** Runs before a mail is accepted; if it throws, the mail is rejected. */
  beforeTaking(run: (mail: Mail) => void | Promise<void>): void;
  stop(): Promise<void>;
  startAgain(): Promise<void>;
}

/** A real mail server that keeps what it receives. */
export async function startMailbox(): Promise<Mailbox> {
  const mails: Mail[] = [];
  let before: (mail: Mail) => void | Promise<void> = () => undefined;
  const take = async (mail: Mail) => {
    await before(mail);
    mails.push(mail);
  };
  let server = await startMailServer(take);
  const { port } = server;
  const mailsTo = (email: string) => mails.filter((mail) => mail.to.includes(email.toLowerCase()));
  return {
    environment: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Callout <callout@localhost>' },
    mails,
    mailsTo,
    mailTo: (email) =>
      vi
        .waitUntil(() => mailsTo(email)[0], { timeout: 20_000, interval: 5 })
        .catch(() => {
          throw new Error(`No mail was sent to ${email}`);
        }),
    beforeTaking(run) {
      before = run;
    },
    stop: () => server.stop(),
    async startAgain() {
      server = await startMailServer(take, port);
    },
  };
}
