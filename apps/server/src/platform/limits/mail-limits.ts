import { createHash } from 'node:crypto';
import type pg from 'pg';
import { countAttempt, type RateLimit } from './rate-limit.sql.ts';
import { enforceRateLimit, getNetworkPrefix } from './rate-limit.ts';

/** Rate limits for one kind of email that companies send. */
export interface MailLimits {
  /** The first word of the keys that these emails are counted under. */
  readonly action: string;
  /** The limit for emails from one company to all recipients. */
  readonly company: RateLimit;
  /** The limit for emails from one company to one recipient. */
  readonly companyToRecipient: RateLimit;
}

/** Rate limits for emails that people send by hand. */
export interface ManualMailLimits extends MailLimits {
  /** The limit for emails from one network, whichever company sends them. */
  readonly network: RateLimit;
  /** The limit for emails from all companies to one recipient. Each company's first email passes, so no other company can block it. */
  readonly recipient: RateLimit;
  /** The message to the sender once the recipient's limit is reached. */
  readonly recipientLimitMessage: string;
}

/** Enforces the limits for one command, which counts only once even if its transaction is retried. */
export interface MailLimiter {
  /** Counts an email by company and network. Call this before looking up an email address, to prevent enumeration. */
  enforceSenderLimits(companyId: string): Promise<void>;
  /** Counts an email by company and recipient. Call this before sending it. */
  enforceRecipientLimits(companyId: string, recipient: string): Promise<void>;
}

export function createMailLimiter(pool: pg.Pool, ip: string, limits: ManualMailLimits): MailLimiter {
  const { action } = limits;
  const counted = new Set<string>();
  const countOnce = async (key: string, count: () => Promise<void>) => {
    if (counted.has(key)) return;
    await count();
    counted.add(key);
  };
  return {
    enforceSenderLimits: (companyId) =>
      countOnce('sender', async () => {
        await enforceRateLimit(pool, `${action} ${companyId}`, limits.company);
        await enforceRateLimit(pool, `${action}-from ${getNetworkPrefix(ip)}`, limits.network);
      }),
    enforceRecipientLimits: (companyId, recipient) =>
      countOnce(`mail to ${recipient}`, () => countMailToRecipient(pool, limits, companyId, hashMailbox(recipient))),
  };
}

async function countMailToRecipient(pool: pg.Pool, limits: ManualMailLimits, companyId: string, mailbox: string): Promise<void> {
  const { action, companyToRecipient, recipient, recipientLimitMessage } = limits;
  const sentByCompany = await enforceRateLimit(pool, `${action} ${companyId} ${mailbox}`, companyToRecipient, recipientLimitMessage);
  const recipientKey = `${action}-to ${mailbox}`;
  if (sentByCompany === 1) await countAttempt(pool, recipientKey, recipient);
  else await enforceRateLimit(pool, recipientKey, recipient, recipientLimitMessage);
}

/** Counts a scheduled email. Returns false if the company or the recipient has reached a limit, in which case a later run tries again. */
export async function countAutomaticMail(pool: pg.Pool, limits: MailLimits, companyId: string, recipient: string): Promise<boolean> {
  const { action, company, companyToRecipient } = limits;
  const toRecipient = await countAttempt(pool, `${action} ${companyId} ${hashMailbox(recipient)}`, companyToRecipient);
  return toRecipient.waitSeconds === null && (await countAttempt(pool, `${action} ${companyId}`, company)).waitSeconds === null;
}

/** Hashes the email address for privacy. Variants of an address that reach the same mailbox have the same hash. */
export function hashMailbox(email: string): string {
  return createHash('sha256').update(getMailboxAddress(email.toLowerCase())).digest('base64url');
}

/** Returns true if the address is not a variant of another one. */
export const isMailboxAddress = (email: string) => getMailboxAddress(email) === email;

/** Drops any '+' tag, and the dots that Gmail ignores. */
function getMailboxAddress(email: string): string {
  const [name = '', domain = ''] = email.replace(/\+[^@]*@/, '@').split('@');
  return /^(?:gmail|googlemail)\.com$/.test(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}
