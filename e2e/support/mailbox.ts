import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { Mail } from './mail-server.ts';
import { getRunningServer } from './running-server.ts';

/** Returns the emails sent to `email` so far, oldest first. */
export function listMailsTo(email: string): Mail[] {
  const { mailFolder } = getRunningServer();
  return readdirSync(mailFolder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => JSON.parse(readFileSync(join(mailFolder, name), 'utf8')) as Mail)
    .filter(({ to }) => to.includes(email.toLowerCase()));
}

/** Waits for an email to `email` with this subject and returns the newest one. */
export async function waitForMail(email: string, subject: RegExp | string): Promise<Mail> {
  const matching = () =>
    listMailsTo(email).filter((mail) => (typeof subject === 'string' ? mail.subject === subject : subject.test(mail.subject)));
  const message = `a mail '${String(subject)}' to ${email}`;
  await expect.poll(() => matching().length, { message, timeout: 15_000, intervals: [50] }).toBeGreaterThan(0);
  const mail = matching().at(-1);
  if (!mail) throw new Error(`The email to ${email} has disappeared`);
  return mail;
}

/** Returns the first link in the email, as a path for `page.goto`. */
export function getMailLink(mail: Mail): string {
  const link = mail.text.match(/https?:\/\/[^\s<>"]+/)?.[0];
  if (!link) throw new Error(`No link in the email '${mail.subject}':\n${mail.text}`);
  const { pathname, search, hash } = new URL(link);
  return `${pathname}${search}${hash}`;
}
