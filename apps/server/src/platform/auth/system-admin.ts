import type pg from 'pg';
import type { Logger } from 'pino';
import type { Person } from '../db/actor.ts';
import { findUserIdByEmail, isAccountClaimed } from './password-links.sql.ts';

/**
 * Returns true if the person has the configured email and set their password through a link sent to it, which ended all other sessions and
 * links. The address alone is not enough, because anyone can sign up with an address that isn't theirs.
 */
export async function isSystemAdmin(pool: pg.Pool, { userId, email }: Person, adminEmail: string | undefined): Promise<boolean> {
  return isSystemAdminEmail(email, adminEmail) && (await isAccountClaimed(pool, userId, email));
}

export function isSystemAdminEmail(email: string, adminEmail: string | undefined): boolean {
  return adminEmail !== undefined && email.toLowerCase() === adminEmail;
}

/** Warns until the administrator has signed up. Someone else could take the address first, but wouldn't become administrator. */
export async function warnIfAdminMissing(pool: pg.Pool, adminEmail: string | undefined, log: Logger): Promise<void> {
  if (!adminEmail) return;
  const userId = await findUserIdByEmail(pool, adminEmail);
  if (userId === null) {
    log.warn({ admin_email: adminEmail }, 'No account exists for ADMIN_EMAIL. Sign up with it, then open the emailed link.');
  } else if (!(await isAccountClaimed(pool, userId, adminEmail))) {
    log.warn(
      { admin_email: adminEmail },
      'The ADMIN_EMAIL account is not an administrator yet. Use "Forgot your password?" and set a password through the emailed link.',
    );
  }
}
