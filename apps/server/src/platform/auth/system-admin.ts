import type pg from 'pg';
import type { Logger } from 'pino';
import type { Person } from '../db/actor.ts';
import { findUserId, isClaimed } from './password-links.sql.ts';

/**
 * The one account that runs this server: its email is in the configuration, and its password was set through a link mailed to that email,
 * which ended everyone else's sessions and links. Nothing less is enough: anyone can sign up with an email that is not theirs.
 */
export async function isSystemAdmin(pool: pg.Pool, { userId, email }: Person, adminEmail: string | undefined): Promise<boolean> {
  return isAdminEmail(email, adminEmail) && (await isClaimed(pool, userId, email));
}

export function isAdminEmail(email: string, adminEmail: string | undefined): boolean {
  return adminEmail !== undefined && email.toLowerCase() === adminEmail;
}

/** Until then someone else could sign up with this email, though never become administrator with it. */
export async function warnOfMissingAdmin(pool: pg.Pool, adminEmail: string | undefined, log: Logger): Promise<void> {
  if (!adminEmail) return;
  const userId = await findUserId(pool, adminEmail);
  if (userId === null) {
    log.warn({ admin_email: adminEmail }, 'No account exists for ADMIN_EMAIL. Sign up with it, then open the link emailed to it.');
  } else if (!(await isClaimed(pool, userId, adminEmail))) {
    log.warn(
      { admin_email: adminEmail },
      'The account of ADMIN_EMAIL does not administer yet: use "Forgot your password?" and set a password with the link that is mailed to it',
    );
  }
}
