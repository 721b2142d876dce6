import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { CallContext } from '../../platform/http/call-context.ts';
import { countAttempt, type Limit } from '../../platform/limits/rate-limit.sql.ts';
import { limitAttempts, network } from '../../platform/limits/rate-limit.ts';

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

/** More than any firm hires in an hour, fewer than a sender of junk wants. */
const BY_COMPANY: Limit = { attempts: 50, seconds: HOUR };
/** Whatever companies somebody starts to send more. */
const BY_NETWORK: Limit = { attempts: 100, seconds: DAY };
/** From one company to one person: the first mail, and a few more if it was lost. */
const BY_COMPANY_TO_RECIPIENT: Limit = { attempts: 4, seconds: DAY };
/** From all companies to one person, beside the first mail of each company: nobody keeps another company from inviting them. */
const TO_RECIPIENT: Limit = { attempts: 6, seconds: DAY };

const TOO_MANY_EMAILS = 'This person has been sent several invitations today. Please try again tomorrow.';

/** The limits of one command. It may run several times, when it loses against another one, and is counted once. */
export interface InvitationLimits {
  /** Before an email is looked for: who tries many would find out which of them work for a company. */
  limitInvitations(companyId: string): Promise<void>;
  /** Before a mail goes out, whoever asked for it. */
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

/** What stands behind a plus is the same mailbox. Hashed, since it is not the business of whoever reads the limits. */
function hashMailbox(email: string): string {
  const mailbox = email.toLowerCase().replace(/\+[^@]*@/, '@');
  return createHash('sha256').update(mailbox).digest('base64url');
}
