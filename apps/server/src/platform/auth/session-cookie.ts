import { createHmac, timingSafeEqual } from 'node:crypto';
import { SESSION_DAYS } from './session.sql.ts';

export const COOKIE_PREFIX = 'callout';
const MAX_AGE_SECONDS = SESSION_DAYS * 24 * 60 * 60;

/** Maximum number of verified cookies in the cache, which saves an HMAC per call. The cache is cleared when full. */
const MAX_VERIFIED_COOKIES = 1000;

export interface SessionCookie {
  /** Returns the session token, or null if the cookie is missing or its signature is invalid. */
  readToken(cookieHeader: string | undefined): string | null;
  buildSetCookie(token: string): string;
  buildClearCookie(): string;
}

/** Reads and writes better-auth's session cookie, which consists of the token, a dot and the token's HMAC-SHA256 in base64. */
export function createSessionCookie(secret: string, secure: boolean): SessionCookie {
  const name = `${secure ? '__Secure-' : ''}${COOKIE_PREFIX}.session_token`;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  const verifiedTokens = new Map<string, string>();
  const sign = (token: string) => createHmac('sha256', secret).update(token).digest('base64');

  const verifyCookie = (encoded: string) => {
    const value = decodeCookie(encoded);
    const dot = value.lastIndexOf('.');
    if (dot < 1) return null;
    const token = value.slice(0, dot);
    return isEqualInConstantTime(value.slice(dot + 1), sign(token)) ? token : null;
  };

  return {
    readToken(header) {
      const encoded = findCookie(header, name);
      if (encoded === null) return null;
      const token = verifiedTokens.get(encoded) ?? verifyCookie(encoded);
      if (token !== null && !verifiedTokens.has(encoded)) {
        if (verifiedTokens.size >= MAX_VERIFIED_COOKIES) verifiedTokens.clear();
        verifiedTokens.set(encoded, token);
      }
      return token;
    },
    buildSetCookie: (token) => `${name}=${encodeURIComponent(`${token}.${sign(token)}`)}; Max-Age=${MAX_AGE_SECONDS}; ${attributes}`,
    buildClearCookie: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}

/** Returns a cookie's raw value, or null if the cookie was not sent. */
export function findCookie(header: string | undefined, name: string): string | null {
  const start = `${name}=`;
  const pair = header?.split(';').find((part) => part.trimStart().startsWith(start));
  return pair === undefined ? null : pair.trim().slice(start.length);
}

function decodeCookie(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}

/** Compares two strings in the same time wherever they differ, which prevents timing attacks on signatures. */
export function isEqualInConstantTime(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
