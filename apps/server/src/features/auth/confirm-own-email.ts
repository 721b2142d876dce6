import type { Config } from '../../config.ts';
import type { Person } from '../../platform/db/actor.ts';
import type { Platform } from '../../platform/http/platform.ts';
import type { Limit } from '../../platform/limits/rate-limit.sql.ts';
import { limitAttempts } from '../../platform/limits/rate-limit.ts';
import { requestConfirmation } from './change-account.ts';

/** To one person, for their own email or a new one. */
export const CONFIRMATION_MAILS: Limit = { attempts: 5, seconds: 60 * 60 };

/** Whoever has this server mail strangers first shows that their own email is theirs. Without a mail server nothing reaches anybody. */
export function mustConfirmEmail({ emailVerified }: Person, { smtpUrl }: Pick<Config, 'smtpUrl'>): boolean {
  return smtpUrl !== undefined && !emailVerified;
}

/** Mails somebody a link to their own email; false when it is confirmed already. */
export async function requestEmailConfirmation(platform: Pick<Platform, 'pools' | 'appUrl'>, actor: Person): Promise<boolean> {
  if (actor.emailVerified) return false;
  await limitAttempts(platform.pools.system, `email-confirmation ${actor.userId}`, CONFIRMATION_MAILS);
  await requestConfirmation(platform, actor);
  return true;
}
