import type pg from 'pg';

export interface Account {
  readonly userId: string;
  readonly email: string;
  /** True once the user has opened a link sent to `email`. */
  readonly emailVerified: boolean;
  /** Null until the person starts or joins a company. */
  readonly companyId: string | null;
}

/** Locks the account's company, staff member and login until the transaction ends. All code uses this order, which prevents deadlocks. */
export async function lockAccount(client: pg.PoolClient, userId: string): Promise<Account | null> {
  const { rows } = await client.query<{ company_id: string }>('select company_id from staff_members where profile_id = $1', [userId]);
  const companyId = rows[0]?.company_id ?? null;
  // Lock the company first, as deleting a company does. Any other order could deadlock.
  if (companyId) await client.query('select from companies where company_id = $1 for key share', [companyId]);
  await client.query('select from staff_members where profile_id = $1 for update', [userId]);
  const login = await client.query<Pick<Account, 'email' | 'emailVerified'>>(
    'select email, email_verified as "emailVerified" from users where id = $1 for update',
    [userId],
  );
  return login.rows[0] ? { userId, companyId, ...login.rows[0] } : null;
}

/** Revokes the user's open reset and email-change links after a change of email or password. Links that undo an email change stay valid. */
export async function revokeUnusedLinks(client: pg.PoolClient, userId: string): Promise<void> {
  await client.query('delete from email_changes where user_id = $1', [userId]);
  await client.query(`delete from password_links where user_id = $1 and kind = 'reset'`, [userId]);
}

/** Revokes the address of the person's calendar feed, which others may know. Returns false if there was none. */
export async function revokeCalendarFeed(client: pg.PoolClient, userId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `update public_links l set revoked_at = now() from staff_members m
      where m.profile_id = $1 and l.company_id = m.company_id and l.record_kind = 'calendar' and l.record_id = m.id and l.revoked_at is null`,
    [userId],
  );
  return rowCount !== 0;
}

export async function findPasswordHash(pool: pg.Pool, userId: string): Promise<string | null> {
  const { rows } = await pool.query<{ password: string | null }>(
    `select password from accounts where user_id = $1 and provider_id = 'credential'`,
    [userId],
  );
  return rows[0]?.password ?? null;
}

export async function findPasswordHashByEmail(pool: pg.Pool, email: string): Promise<string | null> {
  const { rows } = await pool.query<{ password: string | null }>(
    `select a.password from users u join accounts a on a.user_id = u.id where u.email = lower($1) and a.provider_id = 'credential'`,
    [email],
  );
  return rows[0]?.password ?? null;
}

/** Replaces the password. Returns false and changes nothing if the current password is no longer the one in `verifiedHash`. */
export async function replacePassword(client: pg.PoolClient, userId: string, verifiedHash: string, newHash: string): Promise<boolean> {
  const { rows } = await client.query(
    `update accounts set password = $3, updated_at = now()
      where user_id = $1 and provider_id = 'credential' and password = $2 returning id`,
    [userId, verifiedHash, newHash],
  );
  return rows.length > 0;
}

/** Returns true if `verifiedHash` is still the password's hash. First waits for any concurrent password change to finish. */
export async function isPasswordUnchanged(client: pg.PoolClient, userId: string, verifiedHash: string): Promise<boolean> {
  await client.query('select from users where id = $1 for share', [userId]);
  // Run this after the lock, as a separate statement. A combined statement would not see a change that committed while it waited.
  const { rows } = await client.query(`select from accounts where user_id = $1 and provider_id = 'credential' and password = $2`, [
    userId,
    verifiedHash,
  ]);
  return rows.length > 0;
}

/** Marks the user's email as verified. Call this once the user has opened an emailed link, which proves that the address is theirs. */
export async function markEmailVerified(pool: pg.Pool, userId: string): Promise<void> {
  await pool.query('update users set email_verified = true, updated_at = now() where id = $1', [userId]);
}

export async function hasUser(db: pg.Pool, userId: string): Promise<boolean> {
  const { rows } = await db.query('select from users where id = $1', [userId]);
  return rows.length > 0;
}

/** Returns true if an account other than `exceptUserId` has this email address, or can get it back by undoing an email change. */
export async function isEmailTaken(db: pg.Pool | pg.PoolClient, email: string, exceptUserId: string | null = null): Promise<boolean> {
  const { rows } = await db.query(
    `select from users where email = lower($1) and id is distinct from $2
      union all
      select from password_links where kind = 'undo' and email = lower($1) and expires_at > now() and user_id is distinct from $2`,
    [email, exceptUserId],
  );
  return rows.length > 0;
}

interface NewEmailChange {
  readonly userId: string;
  readonly newEmail: string;
  readonly tokenHash: string;
  readonly validHours: number;
}

/** Stores a request to change the email address or to verify the current one, replacing the previous request of the same kind. */
export async function insertEmailChange(client: pg.PoolClient, change: NewEmailChange): Promise<void> {
  const { userId, newEmail, tokenHash, validHours } = change;
  await client.query(
    `delete from email_changes e using users u
      where e.user_id = $1 and u.id = $1 and (e.new_email = u.email) = (lower($2) = u.email)`,
    [userId, newEmail],
  );
  await client.query(
    'insert into email_changes (user_id, new_email, token_hash, expires_at) values ($1, lower($2), $3, now() + make_interval(hours => $4))',
    [userId, newEmail, tokenHash, validHours],
  );
}

/** Consumes the link and returns the new address. Returns null if the link is used, expired, unknown or for another account. */
export async function consumeEmailChange(client: pg.PoolClient, userId: string, tokenHash: string): Promise<string | null> {
  const { rows } = await client.query<{ new_email: string }>(
    'delete from email_changes where user_id = $1 and token_hash = $2 and expires_at > now() returning new_email',
    [userId, tokenHash],
  );
  return rows[0]?.new_email ?? null;
}

/** Sets the login's email, verified by the link that the user opened. An account claimed through its old email must be claimed again. */
export async function setLoginEmail(client: pg.PoolClient, userId: string, email: string): Promise<void> {
  await client.query('update users set email = $2, email_verified = true, updated_at = now() where id = $1', [userId, email]);
  await client.query('update accounts set claimed_email = null where user_id = $1 and claimed_email <> $2', [userId, email]);
}

/** Updates the staff member's contact email too, unless the company has set it to an address other than the login's. */
export async function setStaffEmail(client: pg.PoolClient, { userId, email: previousEmail }: Account, email: string): Promise<void> {
  await client.query(
    'update staff_members set email = $3, updated_at = now(), version = version + 1 where profile_id = $1 and lower(email) = $2',
    [userId, previousEmail, email],
  );
}

/** Returns true if another staff member in the account's company has this email address. */
export async function isColleagueEmail(client: pg.PoolClient, { userId, companyId }: Account, email: string): Promise<boolean> {
  const { rows } = await client.query(
    'select from staff_members where company_id = $2 and lower(email) = $3 and profile_id is distinct from $1 and deleted_at is null',
    [userId, companyId, email],
  );
  return rows.length > 0;
}
