import { emailIsTaken } from '../../platform/auth/session.sql.ts';
import type { Platform } from '../../platform/http/platform.ts';

/** Somebody else could take the address away from who runs the server, though never become administrator with it. */
export async function warnOfMissingAdmin({ config, pools, log }: Pick<Platform, 'config' | 'pools' | 'log'>): Promise<void> {
  if (!config.adminEmail || (await emailIsTaken(pools.system, config.adminEmail))) return;
  log.warn(
    { admin_email: config.adminEmail },
    'Nobody has an account with the address of ADMIN_EMAIL yet: create it, then open the link that is mailed to it',
  );
}
