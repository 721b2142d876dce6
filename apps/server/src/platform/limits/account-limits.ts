import type pg from 'pg';
import { deleteAttempts, type Limit, refundAttempt } from './rate-limit.sql.ts';
import { limitAttempts, network, site } from './rate-limit.ts';

/** What is tried on an account by people who are not signed in to it. */
interface AccountLimits {
  readonly action: string;
  /** Of one network on one account, and of one known device. */
  readonly each: Limit;
  /**
   * On one account from wherever, and once more of all its known devices together. One network alone must not be able to use it up, or it
   * would lock everybody else out.
   */
  readonly account: Limit;
  /** Of one network on whichever account. */
  readonly network: Limit;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Guessing a password. One network has at most 130 tries an hour on one account. */
export const SIGN_IN: AccountLimits = {
  action: 'sign-in',
  each: { attempts: 10, seconds: 5 * MINUTE },
  account: { attempts: 200, seconds: HOUR },
  network: { attempts: 100, seconds: 5 * MINUTE },
};

/** Mails with a link for a forgotten password. */
export const RESET_REQUEST: AccountLimits = {
  action: 'reset',
  each: { attempts: 5, seconds: HOUR },
  account: { attempts: 20, seconds: HOUR },
  network: { attempts: 60, seconds: HOUR },
};

export interface AccountAttempt {
  /** As it was typed: it need not have an account, and the answer is the same. */
  readonly email: string;
  readonly ip: string;
  /** Names a device on which this account has signed in with its present password. Strangers cannot use up its attempts. */
  readonly knownDevice: string | null;
}

/** Counts an attempt, and refuses with TOO_MANY_ATTEMPTS once there were too many. */
export async function limitAccountAttempt(pool: pg.Pool, limits: AccountLimits, attempt: AccountAttempt): Promise<void> {
  const keys = keysOf(limits, attempt);
  // In this order: what is refused for its own sake is not counted against everybody.
  await limitAttempts(pool, keys.each, limits.each);
  if (attempt.knownDevice !== null) {
    await limitAttempts(pool, keys.devices, limits.account);
    return;
  }
  await limitAttempts(pool, keys.network, limits.network);
  await limitAttempts(pool, keys.account, limits.account);
}

/** The attempt turned out to be the account's owner. */
export async function forgiveAccountAttempt(pool: pg.Pool, limits: AccountLimits, attempt: AccountAttempt): Promise<void> {
  const keys = keysOf(limits, attempt);
  await deleteAttempts(pool, keys.each);
  await deleteAttempts(pool, keys.devices);
  if (attempt.knownDevice !== null) return;
  await refundAttempt(pool, keys.network);
  await refundAttempt(pool, keys.account);
}

/** Words apart from each other: whoever deletes an account finds its email among them. */
function keysOf({ action }: AccountLimits, { email, ip, knownDevice }: AccountAttempt) {
  const account = `${action} account ${email.toLowerCase()}`;
  return {
    each: knownDevice === null ? `${account} network ${site(ip)}` : `${account} device ${knownDevice}`,
    account,
    devices: `${account} devices`,
    network: `${action} network ${network(ip)}`,
  };
}
