import type pg from 'pg';
import {
  type Account,
  endOpenLinks,
  isColleagueEmail,
  lockAccount,
  setLoginEmail,
  setStaffEmail,
} from '../../platform/auth/account-changes.sql.ts';
import { refuseCommonPassword } from '../../platform/auth/common-passwords.ts';
import {
  claimAccount,
  consumePasswordLink,
  hashLinkToken,
  type PasswordLinkKind,
  readPasswordLink,
} from '../../platform/auth/password-links.sql.ts';
import { endSessionsOf } from '../../platform/auth/session.sql.ts';
import { isUniqueViolation } from '../../platform/db/database-errors.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publish } from '../../platform/live/live.sql.ts';
import { publishEndedSessions } from '../../platform/live/live.ts';
import { queueMail } from '../../platform/mail/outbox.sql.ts';
import type { LinkErrors } from './change-account.ts';
import { emailRestoredMail } from './email-change.mail.ts';
import { passwordChangedEmail } from './password.mail.ts';

type Parts = Pick<Platform, 'pools' | 'passwords' | 'appUrl'>;

export interface UsedLink {
  readonly kind: PasswordLinkKind;
  readonly token: string;
  readonly password: string;
}

/**
 * Gives the account to whoever received the mail: sets their password and ends everything that was open before, be it a
 * session, a page or a link. Returns the account's email from then on.
 */
export async function usePasswordLink(
  { pools, passwords, appUrl }: Parts,
  { kind, token, password }: UsedLink,
  errors: LinkErrors,
): Promise<string> {
  const tokenHash = hashLinkToken(token);
  const link = await readPasswordLink(pools.system, kind, tokenHash);
  if (!link) throw errors.LINK_EXPIRED();
  const { user_id: userId, email } = link;
  refuseCommonPassword('password', password, email);
  // Slow on purpose, so it runs before any lock is taken.
  const passwordHash = await passwords.hash(password);
  try {
    await inTransaction(pools.system, async (client) => {
      const account = await lockAccount(client, userId);
      if (!account || !(await consumePasswordLink(client, kind, tokenHash))) throw errors.LINK_EXPIRED();
      await endOpenLinks(client, userId);
      await setLoginEmail(client, userId, email);
      await claimAccount(client, { ...account, email }, passwordHash);
      await publishEndedSessions(client, await endSessionsOf(client, userId, 'all'));
      await queueMail(client, passwordChangedEmail(email, appUrl), account.companyId);
      if (email !== account.email) await restoreOldEmail(client, account, email, appUrl);
    });
  } catch (error) {
    if (isUniqueViolation(error, 'users_email_key')) throw errors.EMAIL_TAKEN();
    throw error;
  }
  return email;
}

async function restoreOldEmail(client: pg.PoolClient, before: Account, email: string, appUrl: string): Promise<void> {
  const { companyId } = before;
  // An attacker may have given the old email to a colleague, which must not prevent restoring it.
  if (!(await isColleagueEmail(client, before, email))) await setStaffEmail(client, before, email);
  await queueMail(client, emailRestoredMail(before.email, email, appUrl), companyId);
  if (companyId) await publish(client, { company: companyId, topics: ['me', 'staff'] });
}
