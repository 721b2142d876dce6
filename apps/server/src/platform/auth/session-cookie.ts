import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../../config.ts';
import { SESSION_DAYS } from './session.sql.ts';

export const COOKIE_PREFIX = 'callout';
const MAX_AGE_SECONDS = SESSION_DAYS * 24 * 60 * 60;

/** Maximum number of verified cookies in the cache, which saves an HMAC per call. The cache is cleared when full. */
const MAX_VERIFIED_COOKIES = 1000;

export interface SessionCookie {
  /** Returns the session token, or null if the cookie is missing or none of its signatures is valid. */
  readToken(cookieHeader: string | undefined): string | null;
  /** Returns true if the cookie was signed before the newest secret was added, so it should be replaced before the old one is removed. */
  isSignedBeforeRotation(cookieHeader: string | undefined): boolean;
  buildSetCookie(token: string): string;
  buildClearCookie(): string;
}

interface VerifiedCookie {
  readonly token: string;
  readonly isSignedBeforeRotation: boolean;
}

/**
 * Reads and writes the session cookie: the token and its HMAC-SHA256 in base64 for each secret, with dots between them. Cookies are signed
 * with all secrets, so that servers accept each other's cookies while some of them know the new secret and others don't yet.
 */
export function createSessionCookie(secrets: Secrets, secure: boolean): SessionCookie {
  const name = `${secure ? '__Secure-' : ''}${COOKIE_PREFIX}.session_token`;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  const verifiedCookies = new Map<string, VerifiedCookie>();
  const signWithEach = (token: string) => secrets.map((secret) => createHmac('sha256', secret).update(token).digest('base64'));

  const verifyCookie = (encoded: string): VerifiedCookie | null => {
    const [token = '', ...signatures] = decodeCookie(encoded).split('.');
    const validity = signWithEach(token).map((expected) => signatures.some((given) => isEqualInConstantTime(given, expected)));
    return token && validity.includes(true) ? { token, isSignedBeforeRotation: validity[0] === false } : null;
  };

  const readCookie = (header: string | undefined): VerifiedCookie | null => {
    const encoded = findCookie(header, name);
    if (encoded === null) return null;
    const known = verifiedCookies.get(encoded);
    if (known) return known;
    const verified = verifyCookie(encoded);
    if (verified) {
      if (verifiedCookies.size >= MAX_VERIFIED_COOKIES) verifiedCookies.clear();
      verifiedCookies.set(encoded, verified);
    }
    return verified;
  };

  return {
    readToken: (header) => readCookie(header)?.token ?? null,
    isSignedBeforeRotation: (header) => readCookie(header)?.isSignedBeforeRotation ?? false,
    buildSetCookie: (token) =>
      `${name}=${encodeURIComponent([token, ...signWithEach(token)].join('.'))}; Max-Age=${MAX_AGE_SECONDS}; ${attributes}`,
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
