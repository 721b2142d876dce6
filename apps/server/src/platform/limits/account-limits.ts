import type pg from 'pg';
import { deleteAttempts, type Limit, refundAttempt } from './rate-limit.sql.ts';
import { limitAttempts, network, site } from './rate-limit.ts';

/** Limits for attempts on an account by people who are not signed in to it. */
interface AccountLimits {
  readonly action: string;
  /** Per network and account, and per known device. */
  readonly each: Limit;
  /**
   * Per account from anywhere, and again for all its known devices together. One network alone must not be able to use it up, or it
   * would lock everybody else out.
   */
  readonly account: Limit;
  /** Per network, on any account. */
  readonly network: Limit;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Password guesses. One network gets at most 130 tries an hour on one account. */
export const SIGN_IN: AccountLimits = {
  action: 'sign-in',
  each: { attempts: 10, seconds: 5 * MINUTE },
  account: { attempts: 200, seconds: HOUR },
  network: { attempts: 100, seconds: 5 * MINUTE },
};

/** Password reset emails. */
export const RESET_REQUEST: AccountLimits = {
  action: 'reset',
  each: { attempts: 5, seconds: HOUR },
  account: { attempts: 20, seconds: HOUR },
  network: { attempts: 60, seconds: HOUR },
};

export interface AccountAttempt {
  /** As typed. It may have no account; the response is the same either way. */
  readonly email: string;
  readonly ip: string;
  /** Identifies a device on which this account has signed in with its current password. Strangers cannot use up its attempts. */
  readonly knownDevice: string | null;
}

/** Counts an attempt and throws TOO_MANY_ATTEMPTS once the limit is exceeded. */
export async function limitAccountAttempt(pool: pg.Pool, limits: AccountLimits, attempt: AccountAttempt): Promise<void> {
  const keys = keysOf(limits, attempt);
  // The narrow limit comes first, so that an attempt it refuses does not count against everyone.
  await limitAttempts(pool, keys.each, limits.each);
  if (attempt.knownDevice !== null) {
    await limitAttempts(pool, keys.devices, limits.account);
    return;
  }
  await limitAttempts(pool, keys.network, limits.network);
  await limitAttempts(pool, keys.account, limits.account);
}

/** Refunds the attempt: it was the account's owner. */
export async function forgiveAccountAttempt(pool: pg.Pool, limits: AccountLimits, attempt: AccountAttempt): Promise<void> {
  const keys = keysOf(limits, attempt);
  await deleteAttempts(pool, keys.each);
  await deleteAttempts(pool, keys.devices);
  if (attempt.knownDevice !== null) return;
  await refundAttempt(pool, keys.network);
  await refundAttempt(pool, keys.account);
}

/** Separated by spaces, so that deleting an account can find its email in the key. */
function keysOf({ action }: AccountLimits, { email, ip, knownDevice }: AccountAttempt) {
  const account = `${action} account ${email.toLowerCase()}`;
  return {
    each: knownDevice === null ? `${account} network ${site(ip)}` : `${account} device ${knownDevice}`,
    account,
    devices: `${account} devices`,
    network: `${action} network ${network(ip)}`,
  };
}
