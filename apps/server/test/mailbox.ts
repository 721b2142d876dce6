import { vi } from 'vitest';
import { type Mail, startMailServer } from '../../../e2e/support/mail-server.ts';

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
