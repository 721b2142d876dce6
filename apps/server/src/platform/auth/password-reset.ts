import type pg from 'pg';
import { forgetAttempts } from '../http/rate-limit.sql.ts';
import type { Live } from '../live/live.ts';
import { queueMail } from '../mail/outbox.sql.ts';
import { defineTask } from '../queue/task.ts';
import { confirmAddress, forgetLinksOf } from './account-changes.sql.ts';
import { passwordResetEmail } from './password-reset.email.ts';
import { companyOfAccount, endSessionsOf } from './session.sql.ts';
import { signInKey } from './sign-in-limit.ts';

/** Looked up after the answer was given, so that the answer takes as long for an unknown address as for a known one. */
export const sendPasswordReset = defineTask<{ email: string }>('send-password-reset', async ({ email }, platform) => {
  const link = await platform.accounts.newResetLink(email);
  if (!link) return;
  const { system } = platform.pools;
  const mail = passwordResetEmail(link.email, resetUrl(platform.appUrl, link.token));
  await queueMail(system, mail, await companyOfAccount(system, link.email));
});

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
