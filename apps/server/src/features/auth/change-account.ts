import type pg from 'pg';
import {
  confirmEmailChange,
  endOtherSessions,
  forgetLinksOf,
  keepCompany,
  readPasswordHash,
  replacePassword,
  storeEmailChange,
} from '../../platform/auth/account-changes.sql.ts';
import { hashPassword, isPasswordOf } from '../../platform/auth/accounts.ts';
import { hashOfLinkToken, newLinkToken } from '../../platform/auth/link-token.ts';
import type { Person } from '../../platform/db/actor.ts';
import { isUniqueViolation } from '../../platform/db/database-errors.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publish } from '../../platform/live/live.sql.ts';
import { queueMail } from '../../platform/mail/outbox.sql.ts';
import { confirmEmailMail, emailChangedMail } from './email-change.email.ts';

const LINK_HOURS = 24;

type MailingParts = Pick<Platform, 'pools' | 'appUrl'>;

/** False when the current password is not the right one. Whoever else is signed in as this person is out, in every open page too. */
export async function changePassword({ pools }: Pick<Platform, 'pools'>, actor: Person, current: string, next: string): Promise<boolean> {
  // Slow on purpose, so it is done before anybody else has to wait.
  const proven = await readPasswordHash(pools.system, actor.userId);
  if (proven === null || !(await isPasswordOf(proven, current))) return false;
  const nextHash = await hashPassword(next);
  return inTransaction(pools.system, async (client) => {
    if (!(await replacePassword(client, actor.userId, proven, nextHash))) return false;
    await forgetLinksOf(client, actor.userId);
    const ended = await endOtherSessions(client, actor.userId, actor.sessionId);
    for (const ended_session of ended) await publish(client, { ended_session });
    return true;
  });
}

interface Account {
  readonly userId: string;
  readonly companyId: string | null;
}

/** Mails a link to an address; whoever opens it has shown that it is theirs, and signs in with it from then on. */
export async function askToConfirm({ pools, appUrl }: MailingParts, { userId, companyId }: Account, email: string): Promise<void> {
  const { token, hash } = newLinkToken();
  await inTransaction(pools.system, async (client) => {
    await keepCompany(client, companyId);
    await storeEmailChange(client, { userId, newEmail: email, tokenHash: hash, hours: LINK_HOURS });
    await queueMail(client, confirmEmailMail(email, `${appUrl}/confirm-email?token=${token}`), companyId);
  });
}

/** The address that now counts; null when the link is dead, 'taken' when somebody else has the address by now. */
export async function confirmNewEmail(platform: MailingParts, token: string): Promise<{ email: string } | 'taken' | null> {
  try {
    return await inTransaction(platform.pools.system, (client) => confirm(client, platform, token));
  } catch (error) {
    if (isUniqueViolation(error, 'users_email_key') || isUniqueViolation(error, 'staff_members_by_email')) return 'taken';
    throw error;
  }
}

async function confirm(client: pg.PoolClient, { appUrl }: MailingParts, token: string): Promise<{ email: string } | null> {
  const changed = await confirmEmailChange(client, hashOfLinkToken(token));
  if (!changed) return null;
  if (changed.old_email !== changed.new_email) {
    await queueMail(client, emailChangedMail(changed.old_email, changed.new_email, appUrl), changed.company_id);
  }
  if (changed.company_id) await publish(client, { company: changed.company_id, topics: ['me', 'staff'] });
  return { email: changed.new_email };
}
