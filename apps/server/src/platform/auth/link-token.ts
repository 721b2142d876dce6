import { createHash, randomBytes } from 'node:crypto';

export interface LinkToken {
  /** Goes into the mail and nowhere else. */
  readonly token: string;
  /** What is stored: who reads the database cannot use the link. */
  readonly hash: string;
}

export function newLinkToken(): LinkToken {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashLinkToken(token) };
}

export function hashLinkToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
