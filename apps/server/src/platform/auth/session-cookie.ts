import { createHmac, timingSafeEqual } from 'node:crypto';
import { SESSION_DAYS } from './session.sql.ts';

export const COOKIE_PREFIX = 'callout';
const SECONDS_A_DAY = 24 * 60 * 60;

/** Cookies whose signature was found right; forgotten all at once when there are this many. */
const MOST_REMEMBERED = 1000;

export interface SessionCookie {
  /** The session's token, when the cookie bears our signature. */
  read(cookieHeader: string | undefined): string | null;
  renewed(token: string): string;
  cleared(): string;
}

/** Reads the cookie that better-auth sets: the token, a dot, and its HMAC-SHA256 in base64. */
export function createSessionCookie(secret: string, secure: boolean): SessionCookie {
  const name = `${secure ? '__Secure-' : ''}${COOKIE_PREFIX}.session_token`;
  const start = `${name}=`;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  const remembered = new Map<string, string>();
  const sign = (token: string) => createHmac('sha256', secret).update(token).digest('base64');

  const tokenIn = (encoded: string) => {
    const value = decoded(encoded);
    const dot = value.lastIndexOf('.');
    if (dot < 1) return null;
    const token = value.slice(0, dot);
    return same(value.slice(dot + 1), sign(token)) ? token : null;
  };

  return {
    read(header) {
      const pair = header?.split(';').find((part) => part.trimStart().startsWith(start));
      if (!pair) return null;
      const encoded = pair.trim().slice(start.length);
      const token = remembered.get(encoded) ?? tokenIn(encoded);
      if (token !== null && !remembered.has(encoded)) {
        if (remembered.size >= MOST_REMEMBERED) remembered.clear();
        remembered.set(encoded, token);
      }
      return token;
    },
    renewed: (token) => `${start}${encodeURIComponent(`${token}.${sign(token)}`)}; Max-Age=${SESSION_DAYS * SECONDS_A_DAY}; ${attributes}`,
    cleared: () => `${start}; Max-Age=0; ${attributes}`,
  };
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}

function same(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
