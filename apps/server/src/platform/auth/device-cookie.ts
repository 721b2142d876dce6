import { createHmac, randomBytes } from 'node:crypto';
import type { Secrets } from '../../config.ts';
import { COOKIE_PREFIX, findCookie, isEqualInConstantTime } from './session-cookie.ts';

/** The longest lifetime that browsers allow for a cookie. */
const MAX_AGE_SECONDS = 400 * 24 * 60 * 60;
/** Only the device's most recent accounts are remembered, so that the cookie stays small. */
const MAX_ACCOUNTS = 5;

/**
 * Remembers which accounts have signed in with this browser. Known devices have their own rate limit, so a stranger who knows an email
 * address can't lock its owner out. The cookie holds only hashes, grants no access and survives sign-out. It is tied to the current
 * password: if someone signs up with another person's address and that person resets the password, the device becomes unknown again.
 */
export interface DeviceCookie {
  /** Returns a key for the device and account. Returns null if the account hasn't signed in on the device with its current password. */
  findKnownDevice(cookieHeader: string | undefined, passwordHash: string): string | null;
  /** Returns the Set-Cookie header that adds the account to the device's known accounts. */
  buildSetCookie(cookieHeader: string | undefined, passwordHash: string): string;
}

export function createDeviceCookie(secrets: Secrets, secure: boolean): DeviceCookie {
  const name = `${secure ? '__Secure-' : ''}${COOKIE_PREFIX}.device`;
  const attributes = `Max-Age=${MAX_AGE_SECONDS}; Path=/api; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  const sign = (text: string, secret = secrets[0]) => createHmac('sha256', secret).update(`device ${text}`).digest('base64url');
  const hashAccount = (passwordHash: string, secret = secrets[0]) => sign(`account ${passwordHash}`, secret).slice(0, 16);

  const parseDevice = (header: string | undefined) => {
    const value = findCookie(header, name) ?? '';
    const dot = value.lastIndexOf('.');
    const payload = value.slice(0, Math.max(dot, 0));
    if (dot < 1 || !secrets.some((secret) => isEqualInConstantTime(value.slice(dot + 1), sign(payload, secret)))) return null;
    const [id = '', ...accounts] = payload.split('.');
    return { id, accounts };
  };

  return {
    findKnownDevice(header, passwordHash) {
      const device = parseDevice(header);
      const hashes = new Set(secrets.map((secret) => hashAccount(passwordHash, secret)));
      const account = device?.accounts.find((known) => hashes.has(known));
      return device && account !== undefined ? `${device.id}.${account}` : null;
    },
    buildSetCookie(header, passwordHash) {
      const { id, accounts } = parseDevice(header) ?? { id: randomBytes(16).toString('base64url'), accounts: [] };
      const account = hashAccount(passwordHash);
      const payload = [id, account, ...accounts.filter((other) => other !== account).slice(0, MAX_ACCOUNTS - 1)].join('.');
      return `${name}=${payload}.${sign(payload)}; ${attributes}`;
    },
  };
}
