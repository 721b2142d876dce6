import { createHash, randomBytes } from 'node:crypto';

export interface LinkToken {
  /** Only ever put into the email. */
  readonly token: string;
  /** The stored hash: reading the database is not enough to use the link. */
  readonly hash: string;
}

export function newLinkToken(): LinkToken {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashLinkToken(token) };
}

export function hashLinkToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
