import type pg from 'pg';
import { hashMailbox } from './mail-limits.ts';
import { countAttempt, deleteAttempts, type RateLimit, refundAttempt } from './rate-limit.sql.ts';
import { enforceRateLimit, getNetworkPrefix, getSitePrefix } from './rate-limit.ts';

/** Rate limits for attempts on an account by people who are not signed in to it. */
interface AccountLimits {
  readonly action: string;
  /** True if every attempt sends an email. One network's attempts on all addresses of a mailbox then count together. */
  readonly sendsMail: boolean;
  /** The limit on one account from each network or known device. */
  readonly perSource: RateLimit;
  /**
   * The limit on one account from all networks together, and separately from all known devices. No single network can use it up. Networks on
   * which the account is signed in don't count.
   */
  readonly perAccount: RateLimit;
  /** The limit for one network across all accounts. */
  readonly perNetwork: RateLimit;
}

const SECONDS_PER_MINUTE = 60;
const SECONDS_PER_HOUR = 60 * SECONDS_PER_MINUTE;

/** Limits password guesses: one network gets at most 130 attempts per hour on one account, because an hour overlaps up to 13 windows. */
export const SIGN_IN_LIMITS: AccountLimits = {
  action: 'sign-in',
  sendsMail: false,
  perSource: { attempts: 10, seconds: 5 * SECONDS_PER_MINUTE },
  perAccount: { attempts: 200, seconds: SECONDS_PER_HOUR },
  perNetwork: { attempts: 100, seconds: 5 * SECONDS_PER_MINUTE },
};

export const PASSWORD_RESET_LIMITS: AccountLimits = {
  action: 'reset',
  sendsMail: true,
  perSource: { attempts: 5, seconds: SECONDS_PER_HOUR },
  // Half as long as a link is valid, so that one of the sent links is always usable when the limit is reached.
  perAccount: { attempts: 10, seconds: 30 * SECONDS_PER_MINUTE },
  perNetwork: { attempts: 60, seconds: SECONDS_PER_HOUR },
};

export interface AccountAttempt {
  /** The email address that was entered, whether or not it has an account. */
  readonly email: string;
  readonly ip: string;
  /** A device on which this account has signed in with its current password, or null. Strangers can't use up the device's attempts. */
  readonly knownDevice: string | null;
  /** True if the account is signed in on the attempt's network, such as on another device at the owner's home. */
  readonly isKnownNetwork: boolean;
}

/**
 * Counts an attempt. Throws TOO_MANY_ATTEMPTS if its device or network has made too many. Returns the seconds to wait if only the account's
 * limit for all networks is exceeded, otherwise null.
 */
export async function countAccountAttempt(pool: pg.Pool, limits: AccountLimits, attempt: AccountAttempt): Promise<number | null> {
  const keys = buildAttemptKeys(limits, attempt);
  // Check the narrowest limit first, so that an attempt it rejects doesn't count toward limits that everyone shares.
  await enforceRateLimit(pool, keys.source, limits.perSource);
  if (attempt.knownDevice !== null) {
    return (await countAttempt(pool, keys.devices, limits.perAccount)).waitSeconds;
  }
  await enforceRateLimit(pool, keys.network, limits.perNetwork);
  return attempt.isKnownNetwork ? null : (await countAttempt(pool, keys.account, limits.perAccount)).waitSeconds;
}

/** Refunds an attempt that turned out to come from the account's owner. */
export async function refundAccountAttempt(pool: pg.Pool, limits: AccountLimits, attempt: AccountAttempt): Promise<void> {
  const keys = buildAttemptKeys(limits, attempt);
  await deleteAttempts(pool, keys.source);
  await deleteAttempts(pool, keys.devices);
  if (attempt.knownDevice !== null) return;
  await refundAttempt(pool, keys.network);
  if (!attempt.isKnownNetwork) await refundAttempt(pool, keys.account);
}

/** Forgets all attempts on the account, from this network and from all others together. */
export async function forgetAccountAttempts(pool: pg.Pool, limits: AccountLimits, attempt: AccountAttempt): Promise<void> {
  const keys = buildAttemptKeys(limits, attempt);
  for (const key of [keys.source, keys.account, keys.devices]) await deleteAttempts(pool, key);
}

/** Takes back an attempt that was never checked. Unlike a refund, forgives none of the other attempts. */
export async function takeBackAccountAttempt(pool: pg.Pool, limits: AccountLimits, attempt: AccountAttempt): Promise<void> {
  const keys = buildAttemptKeys(limits, attempt);
  await refundAttempt(pool, keys.source);
  if (attempt.knownDevice !== null) return refundAttempt(pool, keys.devices);
  await refundAttempt(pool, keys.network);
  if (!attempt.isKnownNetwork) await refundAttempt(pool, keys.account);
}

/** Builds keys with spaces between their parts, so that deleting an account can find its email address in the keys. */
function buildAttemptKeys({ action, sendsMail }: AccountLimits, { email, ip, knownDevice }: AccountAttempt) {
  const account = `${action} account ${email.toLowerCase()}`;
  const target = sendsMail ? `${action} mailbox ${hashMailbox(email)}` : account;
  return {
    source: knownDevice === null ? `${target} network ${getSitePrefix(ip)}` : `${account} device ${knownDevice}`,
    account,
    devices: `${account} devices`,
    network: `${action} network ${getNetworkPrefix(ip)}`,
  };
}
