import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { CallContext } from '../../platform/http/call-context.ts';
import { countAttempt, type Limit } from '../../platform/limits/rate-limit.sql.ts';
import { limitAttempts, network } from '../../platform/limits/rate-limit.ts';

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

/** More than any company hires in an hour, but too few for spam. */
const BY_COMPANY: Limit = { attempts: 50, seconds: HOUR };
/** Across all companies that one sender creates. */
const BY_NETWORK: Limit = { attempts: 100, seconds: DAY };
/** From one company to one person: the first mail, and a few more if it was lost. */
const BY_COMPANY_TO_RECIPIENT: Limit = { attempts: 4, seconds: DAY };
/** From all companies to one person, not counting each company's first mail, so that nobody can block another company's invitation. */
const TO_RECIPIENT: Limit = { attempts: 6, seconds: DAY };

const TOO_MANY_EMAILS = 'This person has been sent several invitations today. Please try again tomorrow.';

/** The limits of one command, which is counted once even if its transaction is retried. */
export interface InvitationLimits {
  /** Call before looking up an email, to prevent enumeration. */
  limitInvitations(companyId: string): Promise<void>;
  /** Call before sending a mail, whoever requested it. */
  limitMailsTo(companyId: string, recipient: string): Promise<void>;
}

export function createInvitationLimits({ platform, ip }: CallContext): InvitationLimits {
  const { system } = platform.pools;
  const counted = new Set<string>();
  const countOnce = async (what: string, count: () => Promise<void>) => {
    if (counted.has(what)) return;
    await count();
    counted.add(what);
  };
  return {
    limitInvitations: (companyId) =>
      countOnce('invitation', async () => {
        await limitAttempts(system, `invite ${companyId}`, BY_COMPANY);
        await limitAttempts(system, `invite-from ${network(ip)}`, BY_NETWORK);
      }),
    limitMailsTo: (companyId, recipient) => countOnce(`mail to ${recipient}`, () => countMail(system, companyId, hashMailbox(recipient))),
  };
}

async function countMail(pool: pg.Pool, companyId: string, mailbox: string): Promise<void> {
  const ofCompany = await limitAttempts(pool, `invite ${companyId} ${mailbox}`, BY_COMPANY_TO_RECIPIENT, TOO_MANY_EMAILS);
  const ofAll = `invite-to ${mailbox}`;
  if (ofCompany === 1) await countAttempt(pool, ofAll, TO_RECIPIENT);
  else await limitAttempts(pool, ofAll, TO_RECIPIENT, TOO_MANY_EMAILS);
}

/** Ignores plus-addressing. Hashed for privacy. */
export function hashMailbox(email: string): string {
  const mailbox = email.toLowerCase().replace(/\+[^@]*@/, '@');
  return createHash('sha256').update(mailbox).digest('base64url');
}
