import type pg from 'pg';
import { lockAccount } from '../../platform/auth/account-changes.sql.ts';
import { findUserId, newLinkToken, storePasswordLink } from '../../platform/auth/password-links.sql.ts';
import { isAdminEmail } from '../../platform/auth/system-admin.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { queueMail } from '../../platform/mail/outbox.sql.ts';
import { defineTask } from '../../platform/queue/task.ts';
import { administratorPasswordEmail, passwordResetEmail } from './password.mail.ts';

const RESET_HOURS = 1;

/** Runs after the response, so that the response time does not reveal whether the email is known. */
export const sendPasswordReset = defineTask<{ email: string }>('send-password-reset');

interface ResetParts extends Pick<Platform, 'appUrl' | 'config'> {
  readonly pool: pg.Pool;
}

export async function mailPasswordReset({ pool, appUrl, config }: ResetParts, typed: string): Promise<void> {
  const userId = await findUserId(pool, typed);
  if (userId === null) return;
  const { token, hash } = newLinkToken();
  await inTransaction(pool, async (client) => {
    const account = await lockAccount(client, userId);
    // Their email has changed since the lookup.
    if (account?.email !== typed.toLowerCase()) return;
    const { email, companyId } = account;
    await storePasswordLink(client, { userId, kind: 'reset', email, tokenHash: hash, hours: RESET_HOURS });
    const url = `${appUrl}/auth?reset=true&token=${token}`;
    const isAdmin = isAdminEmail(email, config.adminEmail);
    const mail = isAdmin ? administratorPasswordEmail(email, `${url}&next=/admin`) : passwordResetEmail(email, url);
    await queueMail(client, mail, companyId);
  });
}
