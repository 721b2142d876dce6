import type pg from 'pg';
import {
  type Account,
  isColleagueEmail,
  lockAccount,
  revokeCalendarFeed,
  revokeUnusedLinks,
  setLoginEmail,
  setStaffEmail,
} from '../../platform/auth/account-changes.sql.ts';
import { requireUncommonPassword } from '../../platform/auth/common-passwords.ts';
import {
  claimAccount,
  consumePasswordLink,
  findPasswordLink,
  hashLinkToken,
  type PasswordLinkKind,
} from '../../platform/auth/password-links.sql.ts';
import { endUserSessions } from '../../platform/auth/session.sql.ts';
import { isUniqueViolation } from '../../platform/db/database-errors.ts';
import { runInTransaction } from '../../platform/db/transaction.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publishNotice } from '../../platform/live/live.sql.ts';
import { publishEndedSessions } from '../../platform/live/live.ts';
import { queueMail } from '../../platform/mail/outbox.sql.ts';
import type { AccountLinkErrors } from './change-account.ts';
import { buildEmailRestoredMail } from './email-change.mail.ts';
import { buildPasswordChangedMail } from './password.mail.ts';

type PasswordLinkServices = Pick<Platform, 'pools' | 'passwordHasher' | 'appUrl'>;

export interface PasswordLinkInput {
  readonly kind: PasswordLinkKind;
  readonly token: string;
  readonly password: string;
  readonly ip: string;
}

/** Gives the account to the link's recipient: sets the password, ends all sessions and revokes other links and the calendar feed. Returns the email address. */
export async function redeemPasswordLink(
  { pools, passwordHasher, appUrl }: PasswordLinkServices,
  { kind, token, password, ip }: PasswordLinkInput,
  errors: AccountLinkErrors,
): Promise<string> {
  const tokenHash = hashLinkToken(token);
  const link = await findPasswordLink(pools.system, kind, tokenHash);
  if (!link) throw errors.LINK_EXPIRED();
  const { user_id: userId, email } = link;
  requireUncommonPassword('password', password, email);
  // Hashing is slow on purpose, so hash before taking any lock.
  const passwordHash = await passwordHasher.hash(password, ip);
  try {
    await runInTransaction(pools.system, async (client) => {
      const account = await lockAccount(client, userId);
      if (!account || !(await consumePasswordLink(client, kind, tokenHash))) throw errors.LINK_EXPIRED();
      await revokeUnusedLinks(client, userId);
      await setLoginEmail(client, userId, email);
      await claimAccount(client, { ...account, email }, passwordHash);
      await publishEndedSessions(client, await endUserSessions(client, userId, 'all'));
      const hadFeed = await revokeCalendarFeed(client, userId);
      await queueMail(client, buildPasswordChangedMail(email, appUrl, { hadFeed }), account.companyId);
      if (email !== account.email) await restoreOldEmail(client, account, email, appUrl);
    });
  } catch (error) {
    if (isUniqueViolation(error, 'users_email_key')) throw errors.EMAIL_TAKEN();
    throw error;
  }
  return email;
}

async function restoreOldEmail(client: pg.PoolClient, previous: Account, email: string, appUrl: string): Promise<void> {
  const { companyId } = previous;
  // An attacker may have assigned the old address to a colleague. If so, restore only the login and leave the staff record as it is.
  if (!(await isColleagueEmail(client, previous, email))) await setStaffEmail(client, previous, email);
  await queueMail(client, buildEmailRestoredMail(previous.email, email, appUrl), companyId);
  if (companyId) await publishNotice(client, { company: companyId, topics: ['me', 'staff'] });
}
