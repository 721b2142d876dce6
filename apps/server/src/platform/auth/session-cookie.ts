import { createHmac, timingSafeEqual } from 'node:crypto';
import { SESSION_DAYS } from './session.sql.ts';

export const COOKIE_PREFIX = 'callout';
const SECONDS_A_DAY = 24 * 60 * 60;

/** Size of the cache of verified cookies, which is cleared when full. */
const MAX_REMEMBERED = 1000;

export interface SessionCookie {
  /** The session token, if the cookie's signature is valid. */
  read(cookieHeader: string | undefined): string | null;
  renewed(token: string): string;
  cleared(): string;
}

/** Reads the cookie that better-auth sets: the token, a dot, and its HMAC-SHA256 in base64. */
export function createSessionCookie(secret: string, secure: boolean): SessionCookie {
  const name = `${secure ? '__Secure-' : ''}${COOKIE_PREFIX}.session_token`;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  const remembered = new Map<string, string>();
  const sign = (token: string) => createHmac('sha256', secret).update(token).digest('base64');

  const tokenIn = (encoded: string) => {
    const value = decoded(encoded);
    const dot = value.lastIndexOf('.');
    if (dot < 1) return null;
    const token = value.slice(0, dot);
    return isEqual(value.slice(dot + 1), sign(token)) ? token : null;
  };

  return {
    read(header) {
      const encoded = findCookie(header, name);
      if (encoded === null) return null;
      const token = remembered.get(encoded) ?? tokenIn(encoded);
      if (token !== null && !remembered.has(encoded)) {
        if (remembered.size >= MAX_REMEMBERED) remembered.clear();
        remembered.set(encoded, token);
      }
      return token;
    },
    renewed: (token) => `${name}=${encodeURIComponent(`${token}.${sign(token)}`)}; Max-Age=${SESSION_DAYS * SECONDS_A_DAY}; ${attributes}`,
    cleared: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}

/** The raw value of a cookie; null when it was not sent. */
export function findCookie(header: string | undefined, name: string): string | null {
  const start = `${name}=`;
  const pair = header?.split(';').find((part) => part.trimStart().startsWith(start));
  return pair === undefined ? null : pair.trim().slice(start.length);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}

/** Constant-time comparison. */
export function isEqual(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
