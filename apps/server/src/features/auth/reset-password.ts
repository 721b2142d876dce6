import type pg from 'pg';
import { lockAccount } from '../../platform/auth/account-changes.sql.ts';
import { createLinkToken, findUserIdByEmail, insertPasswordLink } from '../../platform/auth/password-links.sql.ts';
import { isSystemAdminEmail } from '../../platform/auth/system-admin.ts';
import { runInTransaction } from '../../platform/db/transaction.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { queueMail } from '../../platform/mail/outbox.sql.ts';
import { defineTask } from '../../platform/queue/task.ts';
import { buildAdministratorPasswordMail, buildPasswordResetMail } from './password.mail.ts';

const RESET_LINK_HOURS = 1;

/** Runs after the response, so that the response time doesn't reveal whether an account exists. */
export const passwordResetMailTask = defineTask<{ email: string }>('send-password-reset');

interface PasswordResetServices extends Pick<Platform, 'appUrl' | 'config'> {
  readonly pool: pg.Pool;
}

export async function sendPasswordResetMail({ pool, appUrl, config }: PasswordResetServices, requestedEmail: string): Promise<void> {
  const userId = await findUserIdByEmail(pool, requestedEmail);
  if (userId === null) return;
  const { token, hash } = createLinkToken();
  await runInTransaction(pool, async (client) => {
    const account = await lockAccount(client, userId);
    // The account's email address has changed since the lookup, so the requested address no longer belongs to the account.
    if (account?.email !== requestedEmail.toLowerCase()) return;
    const { email, companyId } = account;
    await insertPasswordLink(client, { userId, kind: 'reset', email, tokenHash: hash, validHours: RESET_LINK_HOURS });
    const url = `${appUrl}/auth?reset=true&token=${token}`;
    const isAdmin = isSystemAdminEmail(email, config.adminEmail);
    const mail = isAdmin ? buildAdministratorPasswordMail(email, `${url}&next=/admin`) : buildPasswordResetMail(email, url);
    await queueMail(client, mail, companyId);
  });
}
