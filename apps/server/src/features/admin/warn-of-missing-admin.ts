import { findUserId, isClaimed } from '../../platform/auth/password-links.sql.ts';
import type { Platform } from '../../platform/http/platform.ts';

/** Until then someone else could sign up with this email, though never become administrator with it. */
export async function warnOfMissingAdmin({ config, pools, log }: Pick<Platform, 'config' | 'pools' | 'log'>): Promise<void> {
  const { adminEmail } = config;
  if (!adminEmail) return;
  const userId = await findUserId(pools.system, adminEmail);
  if (userId === null) {
    log.warn({ admin_email: adminEmail }, 'Nobody has an account for ADMIN_EMAIL yet: create it, then open the link that is mailed to it');
  } else if (!(await isClaimed(pools.system, userId, adminEmail))) {
    log.warn(
      { admin_email: adminEmail },
      'The account of ADMIN_EMAIL does not administer yet: use "Forgot your password?" and set a password with the link that is mailed to it',
    );
  }
}
