import type { Config } from '../../config.ts';
import type { Person } from '../../platform/db/actor.ts';
import type { Platform } from '../../platform/http/platform.ts';
import type { RateLimit } from '../../platform/limits/rate-limit.sql.ts';
import { limitAttempts } from '../../platform/limits/rate-limit.ts';
import { sendEmailConfirmation } from './change-account.ts';

/** Limits confirmations of the current email address and of a new one together. */
export const CONFIRMATION_MAIL_LIMIT_PER_PERSON: RateLimit = { attempts: 5, seconds: 60 * 60 };

/** People must confirm their address before the server emails anyone on their behalf, unless there is no mail server. */
export function mustConfirmEmail({ emailVerified }: Person, { smtpUrl }: Pick<Config, 'smtpUrl'>): boolean {
  return smtpUrl !== undefined && !emailVerified;
}

/** Emails a confirmation link. Returns false if the address is already confirmed. */
export async function requestEmailConfirmation(platform: Pick<Platform, 'pools' | 'appUrl'>, actor: Person): Promise<boolean> {
  if (actor.emailVerified) return false;
  await limitAttempts(platform.pools.system, `email-confirmation ${actor.userId}`, CONFIRMATION_MAIL_LIMIT_PER_PERSON);
  await sendEmailConfirmation(platform, actor);
  return true;
}
