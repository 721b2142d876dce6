import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Account } from './account-changes.sql.ts';

/** A link that is mailed: to set a password, to undo a change of email, or to join a company. */
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

/** 'reset' for a forgotten password, 'undo' to recover an account after its email was changed. */
export type PasswordLinkKind = 'reset' | 'undo';

/** The id of the user with this email, or null. */
export async function findUserId(pool: pg.Pool, email: string): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>('select id from users where email = lower($1)', [email]);
  return rows[0]?.id ?? null;
}

export interface NewPasswordLink {
  readonly userId: string;
  readonly kind: PasswordLinkKind;
  readonly email: string;
  readonly tokenHash: string;
  readonly hours: number;
}

/** Older links stay valid, so that repeated requests by a stranger cannot invalidate the one the owner is waiting for. */
export async function storePasswordLink(client: pg.PoolClient, { userId, kind, email, tokenHash, hours }: NewPasswordLink): Promise<void> {
  await client.query(
    `insert into password_links (token_hash, user_id, kind, email, expires_at)
      values ($1, $2, $3, $4, now() + make_interval(hours => $5))`,
    [tokenHash, userId, kind, email, hours],
  );
}

export interface PasswordLink {
  readonly user_id: string;
  readonly email: string;
}

/** A reset link is valid only while the account still has the email it was sent to. */
const OPEN_LINK = `l.token_hash = $1 and l.kind = $2 and l.expires_at > now() and (l.kind = 'undo' or l.email = u.email)`;

/** Null when it was used, has expired or never existed. */
export async function readPasswordLink(pool: pg.Pool, kind: PasswordLinkKind, tokenHash: string): Promise<PasswordLink | null> {
  const { rows } = await pool.query<PasswordLink>(
    `select l.user_id, l.email from password_links l join users u on u.id = l.user_id where ${OPEN_LINK}`,
    [tokenHash, kind],
  );
  return rows[0] ?? null;
}

/** Consumes the link; false when it is no longer open. Call it with the account locked. */
export async function consumePasswordLink(client: pg.PoolClient, kind: PasswordLinkKind, tokenHash: string): Promise<boolean> {
  const { rows } = await client.query<{ user_id: string; created_at: Date }>(
    `delete from password_links l using users u where u.id = l.user_id and ${OPEN_LINK} returning l.user_id, l.created_at`,
    [tokenHash, kind],
  );
  const [taken] = rows;
  if (!taken) return false;
  // An attacker who changed the email twice must not end the owner's older link with a later one of their own.
  if (kind === 'undo') {
    await client.query(`delete from password_links where user_id = $1 and kind = 'undo' and created_at >= $2`, [
      taken.user_id,
      taken.created_at,
    ]);
  }
  return true;
}

/** Stores the password set through a mailed link, which claims the account for that email. */
export async function claimAccount(client: pg.PoolClient, { userId, email }: Account, passwordHash: string): Promise<void> {
  await client.query(`delete from accounts where user_id = $1 and provider_id = 'credential'`, [userId]);
  await client.query(
    `insert into accounts (id, account_id, provider_id, user_id, password, claimed_email)
      values (gen_random_uuid(), $1::uuid::text, 'credential', $1, $2, $3)`,
    [userId, passwordHash, email],
  );
}

/** Whether the account still has this email and its password was set through a link mailed to it. */
export async function isClaimed(pool: pg.Pool, userId: string, email: string): Promise<boolean> {
  const { rows } = await pool.query(
    `select from users u join accounts a on a.user_id = u.id
      where u.id = $1 and u.email = $2 and a.provider_id = 'credential' and a.claimed_email = u.email`,
    [userId, email],
  );
  return rows.length > 0;
}
