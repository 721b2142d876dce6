import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Account } from './account-changes.sql.ts';

/** The token of an emailed link that resets a password, undoes an email change or accepts an invitation. */
export interface LinkToken {
  /** Sent by email and never stored. */
  readonly token: string;
  /** Stored instead of the token, so that a leaked database doesn't reveal any usable links. */
  readonly hash: string;
}

export function createLinkToken(): LinkToken {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashLinkToken(token) };
}

export function hashLinkToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** 'reset' replaces a forgotten password; 'undo' recovers an account after its email address was changed. */
export type PasswordLinkKind = 'reset' | 'undo';

export async function findUserIdByEmail(pool: pg.Pool, email: string): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>('select id from users where email = lower($1)', [email]);
  return rows[0]?.id ?? null;
}

export interface NewPasswordLink {
  readonly userId: string;
  readonly kind: PasswordLinkKind;
  readonly email: string;
  readonly tokenHash: string;
  readonly validHours: number;
}

/** Adds a link. Older links stay valid, so that a stranger's reset request can't invalidate the link that the owner is about to open. */
export async function insertPasswordLink(client: pg.PoolClient, link: NewPasswordLink): Promise<void> {
  await client.query(
    `insert into password_links (token_hash, user_id, kind, email, expires_at)
      values ($1, $2, $3, $4, now() + make_interval(hours => $5))`,
    [link.tokenHash, link.userId, link.kind, link.email, link.validHours],
  );
}

export interface PasswordLink {
  readonly user_id: string;
  readonly email: string;
}

/** A reset link works only while the account still has the email address that the link was sent to. Undo links are exempt. */
const USABLE_LINK_CONDITION = `l.token_hash = $1 and l.kind = $2 and l.expires_at > now() and (l.kind = 'undo' or l.email = u.email)`;

/** Returns the link's account and email, or null if the link is used, expired or unknown. */
export async function findPasswordLink(pool: pg.Pool, kind: PasswordLinkKind, tokenHash: string): Promise<PasswordLink | null> {
  const { rows } = await pool.query<PasswordLink>(
    `select l.user_id, l.email from password_links l join users u on u.id = l.user_id where ${USABLE_LINK_CONDITION}`,
    [tokenHash, kind],
  );
  return rows[0] ?? null;
}

/** Consumes the link. Returns false if the link is no longer valid. The caller must hold the account's lock. */
export async function consumePasswordLink(client: pg.PoolClient, kind: PasswordLinkKind, tokenHash: string): Promise<boolean> {
  const { rows } = await client.query<{ user_id: string; created_at: Date }>(
    `delete from password_links l using users u where u.id = l.user_id and ${USABLE_LINK_CONDITION} returning l.user_id, l.created_at`,
    [tokenHash, kind],
  );
  const [consumed] = rows;
  if (!consumed) return false;
  // Delete newer undo links too, but no older ones. An attacker who changes the email twice must not be able to revoke the owner's link.
  if (kind === 'undo') {
    await client.query(`delete from password_links where user_id = $1 and kind = 'undo' and created_at >= $2`, [
      consumed.user_id,
      consumed.created_at,
    ]);
  }
  return true;
}

/** Stores the password that was set through an emailed link, and records that the owner of the address has claimed the account. */
export async function claimAccount(client: pg.PoolClient, { userId, email }: Account, passwordHash: string): Promise<void> {
  await client.query(`delete from accounts where user_id = $1 and provider_id = 'credential'`, [userId]);
  await client.query(
    `insert into accounts (id, account_id, provider_id, user_id, password, claimed_email)
      values (gen_random_uuid(), $1::uuid::text, 'credential', $1, $2, $3)`,
    [userId, passwordHash, email],
  );
}

/** Returns true if the account has this email address and its password was set through a link sent to that address. */
export async function isAccountClaimed(pool: pg.Pool, userId: string, email: string): Promise<boolean> {
  const { rows } = await pool.query(
    `select from users u join accounts a on a.user_id = u.id
      where u.id = $1 and u.email = $2 and a.provider_id = 'credential' and a.claimed_email = u.email`,
    [userId, email],
  );
  return rows.length > 0;
}
