import { createHmac, randomBytes } from 'node:crypto';
import { COOKIE_PREFIX, findCookie, isEqual } from './session-cookie.ts';

/** The longest lifetime that browsers allow. */
const MAX_AGE_SECONDS = 400 * 24 * 60 * 60;
/** Accounts remembered per device; only the most recent are kept. */
const MAX_ACCOUNTS = 5;

/**
 * Remembers, in the browser alone, who has signed in there: whoever knows an email could otherwise use up the attempts of its owner.
 * It names accounts only as hashes, opens nothing by itself and outlives the sign-out. An account is known by its stored password: who
 * knew an older one, as whoever signed up with somebody else's email did, has a device like any other.
 */
export interface DeviceCookie {
  /** Names the device and the account when it has signed in on it with its present password, else null. */
  knownDevice(cookieHeader: string | undefined, passwordHash: string): string | null;
  /** The cookie of a device on which the account with this password has just signed in. */
  remember(cookieHeader: string | undefined, passwordHash: string): string;
}

export function createDeviceCookie(secret: string, secure: boolean): DeviceCookie {
  const name = `${secure ? '__Secure-' : ''}${COOKIE_PREFIX}.device`;
  const attributes = `Max-Age=${MAX_AGE_SECONDS}; Path=/api; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  const sign = (text: string) => createHmac('sha256', secret).update(`device ${text}`).digest('base64url');
  const accountOf = (passwordHash: string) => sign(`account ${passwordHash}`).slice(0, 16);

  const read = (header: string | undefined) => {
    const value = findCookie(header, name) ?? '';
    const dot = value.lastIndexOf('.');
    const known = value.slice(0, Math.max(dot, 0));
    if (dot < 1 || !isEqual(value.slice(dot + 1), sign(known))) return null;
    const [id = '', ...accounts] = known.split('.');
    return { id, accounts };
  };

  return {
    knownDevice(header, passwordHash) {
      const device = read(header);
      const account = accountOf(passwordHash);
      return device?.accounts.includes(account) ? `${device.id}.${account}` : null;
    },
    remember(header, passwordHash) {
      const { id, accounts } = read(header) ?? { id: randomBytes(16).toString('base64url'), accounts: [] };
      const account = accountOf(passwordHash);
      const known = [id, account, ...accounts.filter((other) => other !== account).slice(0, MAX_ACCOUNTS - 1)].join('.');
      return `${name}=${known}.${sign(known)}; ${attributes}`;
    },
  };
}
