import type pg from 'pg';
import type { Person } from '../db/actor.ts';
import { isClaimed } from './password-links.sql.ts';

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
