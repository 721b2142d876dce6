import type pg from 'pg';
import { deleteAttempts, type RateLimit, refundAttempt } from './rate-limit.sql.ts';
import { enforceRateLimit, getNetworkPrefix, getSitePrefix } from './rate-limit.ts';

/** Rate limits for attempts on an account by people who are not signed in to it. */
interface AccountLimits {
  readonly action: string;
  /** The limit on one account from each network or known device. */
  readonly perSource: RateLimit;
  /** The limit on one account from all networks together, and separately from all known devices. No single network can use it up. */
  readonly perAccount: RateLimit;
  /** The limit for one network across all accounts. */
  readonly perNetwork: RateLimit;
}

const SECONDS_PER_MINUTE = 60;
const SECONDS_PER_HOUR = 60 * SECONDS_PER_MINUTE;

/** Limits password guesses: one network gets at most 130 attempts per hour on one account, because an hour overlaps up to 13 windows. */
export const SIGN_IN_LIMITS: AccountLimits = {
  action: 'sign-in',
  perSource: { attempts: 10, seconds: 5 * SECONDS_PER_MINUTE },
  perAccount: { attempts: 200, seconds: SECONDS_PER_HOUR },
  perNetwork: { attempts: 100, seconds: 5 * SECONDS_PER_MINUTE },
};

export const PASSWORD_RESET_LIMITS: AccountLimits = {
  action: 'reset',
  perSource: { attempts: 5, seconds: SECONDS_PER_HOUR },
  perAccount: { attempts: 20, seconds: SECONDS_PER_HOUR },
  perNetwork: { attempts: 60, seconds: SECONDS_PER_HOUR },
};

export interface AccountAttempt {
  /** The email address that was entered, whether or not it has an account. */
  readonly email: string;
  readonly ip: string;
  /** A device on which this account has signed in with its current password, or null. Strangers can't use up the device's attempts. */
  readonly knownDevice: string | null;
}

/** Counts an attempt. Throws TOO_MANY_ATTEMPTS if one of the limits is exceeded. */
export async function enforceAccountLimits(pool: pg.Pool, limits: AccountLimits, attempt: AccountAttempt): Promise<void> {
  const keys = buildAttemptKeys(limits, attempt);
  // Check the narrowest limit first, so that an attempt it rejects doesn't count toward limits that everyone shares.
  await enforceRateLimit(pool, keys.source, limits.perSource);
  if (attempt.knownDevice !== null) {
    await enforceRateLimit(pool, keys.devices, limits.perAccount);
    return;
  }
  await enforceRateLimit(pool, keys.network, limits.perNetwork);
  await enforceRateLimit(pool, keys.account, limits.perAccount);
}

/** Refunds an attempt that turned out to come from the account's owner. */
export async function refundAccountAttempt(pool: pg.Pool, limits: AccountLimits, attempt: AccountAttempt): Promise<void> {
  const keys = buildAttemptKeys(limits, attempt);
  await deleteAttempts(pool, keys.source);
  await deleteAttempts(pool, keys.devices);
  if (attempt.knownDevice !== null) return;
  await refundAttempt(pool, keys.network);
  await refundAttempt(pool, keys.account);
}

/** Builds keys with spaces between their parts, so that deleting an account can find its email address in the keys. */
function buildAttemptKeys({ action }: AccountLimits, { email, ip, knownDevice }: AccountAttempt) {
  const account = `${action} account ${email.toLowerCase()}`;
  return {
    source: knownDevice === null ? `${account} network ${getSitePrefix(ip)}` : `${account} device ${knownDevice}`,
    account,
    devices: `${account} devices`,
    network: `${action} network ${getNetworkPrefix(ip)}`,
  };
}
