import { createHash } from 'node:crypto';
import type pg from 'pg';
import { countAttempt, type Limit } from './rate-limit.sql.ts';
import { limitAttempts, network } from './rate-limit.ts';

/** Limits for one kind of mail that companies send. */
export interface MailLimits {
  /** The first word of the keys that these mails are counted under. */
  readonly action: string;
  /** From one company to anybody. */
  readonly company: Limit;
  /** From one company to one recipient. */
  readonly companyToRecipient: Limit;
}

/** Limits for mails that people send by hand. */
export interface SentMailLimits extends MailLimits {
  /** Across all companies that one sender creates. */
  readonly network: Limit;
  /** From all companies to one recipient, not counting each company's first mail, so that nobody can block another company's mail. */
  readonly recipient: Limit;
  /** What the sender reads when the recipient has been sent enough. */
  readonly tooManyToRecipient: string;
}

/** The limits of one command, which is counted once even if its transaction is retried. */
export interface MailCounter {
  /** By company and network. Call before looking up an email, to prevent enumeration. */
  limitSender(companyId: string): Promise<void>;
  /** Call before sending a mail, whoever requested it. */
  limitMailsTo(companyId: string, recipient: string): Promise<void>;
}

export function createMailCounter(pool: pg.Pool, ip: string, limits: SentMailLimits): MailCounter {
  const { action } = limits;
  const counted = new Set<string>();
  const countOnce = async (what: string, count: () => Promise<void>) => {
    if (counted.has(what)) return;
    await count();
    counted.add(what);
  };
  return {
    limitSender: (companyId) =>
      countOnce('sender', async () => {
        await limitAttempts(pool, `${action} ${companyId}`, limits.company);
        await limitAttempts(pool, `${action}-from ${network(ip)}`, limits.network);
      }),
    limitMailsTo: (companyId, recipient) =>
      countOnce(`mail to ${recipient}`, () => countMail(pool, limits, companyId, hashMailbox(recipient))),
  };
}

async function countMail(pool: pg.Pool, limits: SentMailLimits, companyId: string, mailbox: string): Promise<void> {
  const { action, companyToRecipient, recipient, tooManyToRecipient } = limits;
  const ofCompany = await limitAttempts(pool, `${action} ${companyId} ${mailbox}`, companyToRecipient, tooManyToRecipient);
  const ofAll = `${action}-to ${mailbox}`;
  if (ofCompany === 1) await countAttempt(pool, ofAll, recipient);
  else await limitAttempts(pool, ofAll, recipient, tooManyToRecipient);
}

/** Counts a mail that is sent by the clock. False when the company, or this recipient of it, has had enough of them: a later run tries again. */
export async function countAutomaticMail(pool: pg.Pool, limits: MailLimits, companyId: string, recipient: string): Promise<boolean> {
  const { action, company, companyToRecipient } = limits;
  const toRecipient = await countAttempt(pool, `${action} ${companyId} ${hashMailbox(recipient)}`, companyToRecipient);
  return toRecipient.wait === null && (await countAttempt(pool, `${action} ${companyId}`, company)).wait === null;
}

/** Ignores plus-addressing. Hashed for privacy. */
function hashMailbox(email: string): string {
  const mailbox = email.toLowerCase().replace(/\+[^@]*@/, '@');
  return createHash('sha256').update(mailbox).digest('base64url');
}
