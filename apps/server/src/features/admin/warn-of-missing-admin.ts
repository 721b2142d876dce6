import { emailIsTaken } from '../../platform/auth/session.sql.ts';
import type { Platform } from '../../platform/platform.ts';

/** The address alone makes the administrator, so its account should be made before anybody else can reach the server. */
export async function warnOfMissingAdmin({ config, pools, log }: Platform): Promise<void> {
  if (!config.adminEmail || (await emailIsTaken(pools.system, config.adminEmail))) return;
  log.warn(
    { admin_email: config.adminEmail },
    'Nobody has an account with the address of ADMIN_EMAIL yet: whoever creates it becomes the administrator, so create it first',
  );
}
