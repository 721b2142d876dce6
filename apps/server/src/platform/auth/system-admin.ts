import type pg from 'pg';
import type { Logger } from 'pino';
import type { Person } from '../db/actor.ts';
import { findUserIdByEmail, isAccountClaimed } from './password-links.sql.ts';

/**
 * Returns true if the person has the configured email and has set their password through a link sent to that address. The address alone is
 * not enough, because anyone can sign up with an address that isn't theirs. Setting the password has ended all older sessions and links.
 */
export async function isSystemAdmin(pool: pg.Pool, { userId, email }: Person, adminEmail: string | undefined): Promise<boolean> {
  return isSystemAdminEmail(email, adminEmail) && (await isAccountClaimed(pool, userId, email));
}

export function isSystemAdminEmail(email: string, adminEmail: string | undefined): boolean {
  return adminEmail !== undefined && email.toLowerCase() === adminEmail;
}

/** Logs a warning until the system administrator has claimed their account. Anyone else who signs up with the address gains nothing. */
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
