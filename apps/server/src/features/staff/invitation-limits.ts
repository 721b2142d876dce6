import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import type { CallContext } from '../../platform/http/call-context.ts';
import type { Limit } from '../../platform/limits/rate-limit.sql.ts';
import { limitAttempts, network } from '../../platform/limits/rate-limit.ts';

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

/** More than any firm hires in an hour, fewer than a sender of junk wants. */
const BY_COMPANY: Limit = { attempts: 50, seconds: HOUR };
/** Whatever companies somebody starts to send more. */
const BY_NETWORK: Limit = { attempts: 100, seconds: DAY };
/** From one company to one person: the first mail, and a few more if it was lost. */
const BY_COMPANY_TO_RECIPIENT: Limit = { attempts: 4, seconds: DAY };
/** From all companies to one person. More than one company may send, so that no company alone can keep another from inviting them. */
const TO_RECIPIENT: Limit = { attempts: 6, seconds: DAY };

const ENOUGH_MAILS = 'This person has been sent several invitations today. Please try again tomorrow.';

/** Before an email is looked for: who tries many would find out which of them work for a company. */
export async function limitInvitations(scope: TenantScope, { platform, ip }: CallContext): Promise<void> {
  await limitAttempts(platform.pools.system, `invite ${scope.companyId}`, BY_COMPANY);
  await limitAttempts(platform.pools.system, `invite-from ${network(ip)}`, BY_NETWORK);
}

/** Before a mail goes out, whoever asked for it. */
export async function limitMailsTo(pool: pg.Pool, companyId: string, recipient: string): Promise<void> {
  const hash = hashOfMailbox(recipient);
  await limitAttempts(pool, `invite ${companyId} ${hash}`, BY_COMPANY_TO_RECIPIENT, ENOUGH_MAILS);
  await limitAttempts(pool, `invite-to ${hash}`, TO_RECIPIENT, ENOUGH_MAILS);
}

/** What stands behind a plus is the same mailbox. Hashed, since it is not the business of whoever reads the limits. */
function hashOfMailbox(email: string): string {
  const mailbox = email.toLowerCase().replace(/\+[^@]*@/, '@');
  return createHash('sha256').update(mailbox).digest('base64url');
}
