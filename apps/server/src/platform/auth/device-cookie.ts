import { createHmac, randomBytes } from 'node:crypto';
import { COOKIE_PREFIX, findCookie, isEqual } from './session-cookie.ts';

/** The longest lifetime that browsers allow. */
const MAX_AGE_SECONDS = 400 * 24 * 60 * 60;
/** Accounts remembered per device; only the most recent are kept. */
const MAX_ACCOUNTS = 5;

/**
 * Remembers, in the browser only, who has signed in there. Otherwise anyone who knows an email could use up its owner's attempts.
 * It holds only hashes, grants no access and survives sign-out. It is tied to the stored password, so a device that knew only an older
 * password, such as that of someone who signed up with another person's email, is not a known device.
 */
export interface DeviceCookie {
  /** Identifies device and account if the account has signed in there with its current password, otherwise null. */
  knownDevice(cookieHeader: string | undefined, passwordHash: string): string | null;
  /** The cookie for a device on which the account with this password hash has just signed in. */
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
