import type pg from 'pg';
import { confirmAddress, forgetLinksOf } from '../../platform/auth/account-changes.sql.ts';
import { companyOfAccount, endSessionsOf } from '../../platform/auth/session.sql.ts';
import { signInKey } from '../../platform/auth/sign-in-limit.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { forgetAttempts } from '../../platform/limits/rate-limit.sql.ts';
import type { Live } from '../../platform/live/live.ts';
import { queueMail } from '../../platform/mail/outbox.sql.ts';
import { defineTask } from '../../platform/queue/task.ts';
import { passwordResetEmail } from './password-reset.email.ts';

/** Looked up after the answer was given, so that the answer takes as long for an unknown address as for a known one. */
export const sendPasswordReset = defineTask<{ email: string }>('send-password-reset');

export async function mailPasswordReset(
  { accounts, pools, appUrl }: Pick<Platform, 'accounts' | 'pools' | 'appUrl'>,
  email: string,
): Promise<void> {
  const link = await accounts.newResetLink(email);
  if (!link) return;
  const mail = passwordResetEmail(link.email, resetUrl(appUrl, link.token));
  await queueMail(pools.system, mail, await companyOfAccount(pools.system, link.email));
}

function resetUrl(appUrl: string, token: string): string {
  return `${appUrl}/auth?reset=true&token=${encodeURIComponent(token)}`;
}

/**
 * Whoever knew the old password, or waits with a link of their own, is out, in every open page too; whoever guessed too often may sign in
 * with the new one. The mail has shown whose address it is.
 */
export async function afterPasswordReset(pool: pg.Pool, live: Live, user: { id: string; email: string }): Promise<void> {
  await confirmAddress(pool, user.id);
  await forgetLinksOf(pool, user.id);
  for (const sessionId of await endSessionsOf(pool, user.id)) await live.endSession(sessionId);
  await forgetAttempts(pool, signInKey(user.email));
}
