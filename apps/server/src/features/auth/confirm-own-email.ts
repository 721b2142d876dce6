import type { Config } from '../../config.ts';
import type { Person } from '../../platform/db/actor.ts';
import type { Platform } from '../../platform/http/platform.ts';
import type { Limit } from '../../platform/limits/rate-limit.sql.ts';
import { limitAttempts } from '../../platform/limits/rate-limit.ts';
import { requestConfirmation } from './change-account.ts';

/** Per person, for their current or a new email. */
export const CONFIRMATION_MAILS: Limit = { attempts: 5, seconds: 60 * 60 };

/** People must confirm their own email before the server mails others for them. Not required without a mail server. */
export function mustConfirmEmail({ emailVerified }: Person, { smtpUrl }: Pick<Config, 'smtpUrl'>): boolean {
  return smtpUrl !== undefined && !emailVerified;
}

/** Mails a confirmation link; false when the email is already confirmed. */
export async function requestEmailConfirmation(platform: Pick<Platform, 'pools' | 'appUrl'>, actor: Person): Promise<boolean> {
  if (actor.emailVerified) return false;
  await limitAttempts(platform.pools.system, `email-confirmation ${actor.userId}`, CONFIRMATION_MAILS);
  await requestConfirmation(platform, actor);
  return true;
}
