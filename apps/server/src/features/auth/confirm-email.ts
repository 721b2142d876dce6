import type { Config } from '../../config.ts';
import type { Person } from '../../platform/db/actor.ts';
import type { PersonContext } from '../../platform/http/call-context.ts';
import type { RateLimit } from '../../platform/limits/rate-limit.sql.ts';
import { enforceRateLimit } from '../../platform/limits/rate-limit.ts';
import { sendEmailConfirmation } from './change-account.ts';
import { enforceUnconfirmedMailLimits, getFirstMailKey } from './unconfirmed-mail-limits.ts';

/**
 * Applies separately to confirming the current email address and to changing to a new one: someone who has mistyped their address requests
 * several confirmations before they notice, and must then be able to change it. What one mailbox gets is limited for both together.
 */
export const CONFIRMATION_MAIL_LIMIT_PER_PERSON: RateLimit = { attempts: 5, seconds: 60 * 60 };

/** Returns true if the person must confirm their address before the server emails others for them. False if there is no mail server. */
export function mustConfirmEmail({ emailVerified }: Person, { smtpUrl }: Pick<Config, 'smtpUrl'>): boolean {
  return smtpUrl !== undefined && !emailVerified;
}

/** Emails a confirmation link to the person. Returns false if the person's address is already confirmed. */
export async function requestEmailConfirmation(context: PersonContext): Promise<boolean> {
  const { platform, actor } = context;
  if (actor.emailVerified) return false;
  await enforceRateLimit(platform.pools.system, `email-confirmation ${actor.userId}`, CONFIRMATION_MAIL_LIMIT_PER_PERSON);
  await enforceUnconfirmedMailLimits(context, actor.email, getFirstMailKey('confirmation', actor.email));
  await sendEmailConfirmation(platform, actor);
  return true;
}
