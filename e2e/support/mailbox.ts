import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { Mail } from './mail-server.ts';
import { product } from './running-product.ts';

/** Everything mailed to an address so far, oldest first. */
export function mailsTo(address: string): Mail[] {
  const { mailFolder } = product();
  return readdirSync(mailFolder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => JSON.parse(readFileSync(join(mailFolder, name), 'utf8')) as Mail)
    .filter(({ to }) => to.includes(address.toLowerCase()));
}

/** Waits for the mail with this subject. */
export async function mailTo(address: string, subject: RegExp | string): Promise<Mail> {
  const matching = () =>
    mailsTo(address).filter((mail) => (typeof subject === 'string' ? mail.subject === subject : subject.test(mail.subject)));
  const message = `a mail '${String(subject)}' to ${address}`;
  await expect.poll(() => matching().length, { message, timeout: 15_000, intervals: [50] }).toBeGreaterThan(0);
  const mail = matching().at(-1);
  if (!mail) throw new Error(`The mail to ${address} is gone`);
  return mail;
}

/** The first link to the product in a mail, as a path that page.goto takes. */
export function linkIn(mail: Mail): string {
  const link = mail.text.match(/https?:\/\/[^\s<>"]+/)?.[0];
  if (!link) throw new Error(`No link in the mail '${mail.subject}':\n${mail.text}`);
  const { pathname, search, hash } = new URL(link);
  return `${pathname}${search}${hash}`;
}
