import type pg from 'pg';

export interface Account {
  readonly userId: string;
  readonly email: string;
  /** True once the owner has opened a link emailed to this address. */
  readonly emailVerified: boolean;
  /** Null until the person starts or joins a company. */
  readonly companyId: string | null;
}

/** Locks the account until the transaction ends, in the global lock order: company, staff member, login. */
export async function lockAccount(client: pg.PoolClient, userId: string): Promise<Account | null> {
  const { rows } = await client.query<{ company_id: string }>('select company_id from staff_members where profile_id = $1', [userId]);
  const companyId = rows[0]?.company_id ?? null;
  // Deleting a company also locks the company first. Any other order could deadlock.
  if (companyId) await client.query('select from companies where company_id = $1 for key share', [companyId]);
  await client.query('select from staff_members where profile_id = $1 for update', [userId]);
  const login = await client.query<Pick<Account, 'email' | 'emailVerified'>>(
    'select email, email_verified as "emailVerified" from users where id = $1 for update',
    [userId],
  );
  return login.rows[0] ? { userId, companyId, ...login.rows[0] } : null;
}

/** Called when the email address or password changes. Links that undo an email change stay valid. */
export async function revokeUnusedLinks(client: pg.PoolClient, userId: string): Promise<void> {
  await client.query('delete from email_changes where user_id = $1', [userId]);
  await client.query(`delete from password_links where user_id = $1 and kind = 'reset'`, [userId]);
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

/** Returns false if the password has changed since it was verified. */
export async function replacePassword(client: pg.PoolClient, userId: string, verifiedHash: string, newHash: string): Promise<boolean> {
  const { rows } = await client.query(
    `update accounts set password = $3, updated_at = now()
      where user_id = $1 and provider_id = 'credential' and password = $2 returning id`,
    [userId, verifiedHash, newHash],
  );
  return rows.length > 0;
}

/** Returns true if the password is still the verified one. Waits for any concurrent password change to finish. */
export async function isPasswordUnchanged(client: pg.PoolClient, userId: string, verifiedHash: string): Promise<boolean> {
  await client.query('select from users where id = $1 for share', [userId]);
  // A separate statement is needed to see the password change that the concurrent transaction committed.
  const { rows } = await client.query(`select from accounts where user_id = $1 and provider_id = 'credential' and password = $2`, [
    userId,
    verifiedHash,
  ]);
  return rows.length > 0;
}

/** Called when someone opens an emailed link, which proves that the address belongs to the user. */
export async function markEmailVerified(pool: pg.Pool, userId: string): Promise<void> {
  await pool.query('update users set email_verified = true, updated_at = now() where id = $1', [userId]);
}

export async function hasUser(db: pg.Pool, userId: string): Promise<boolean> {
  const { rows } = await db.query('select from users where id = $1', [userId]);
  return rows.length > 0;
}

/** An email address also counts as taken while its previous owner can still undo an email change. */
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

/** Replaces the account's previous request and invalidates its link. A request to verify the current address may coexist with a change. */
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

/** Consumes the link and returns the new address, or null if the link is used, expired, unknown or for another account. */
export async function consumeEmailChange(client: pg.PoolClient, userId: string, tokenHash: string): Promise<string | null> {
  const { rows } = await client.query<{ new_email: string }>(
    'delete from email_changes where user_id = $1 and token_hash = $2 and expires_at > now() returning new_email',
    [userId, tokenHash],
  );
  return rows[0]?.new_email ?? null;
}

/** Marks the new address as verified, because its link was opened. The old address no longer proves who owns the account. */
export async function setLoginEmail(client: pg.PoolClient, userId: string, email: string): Promise<void> {
  await client.query('update users set email = $2, email_verified = true, updated_at = now() where id = $1', [userId, email]);
  await client.query('update accounts set claimed_email = null where user_id = $1 and claimed_email <> $2', [userId, email]);
}

/** Updates the staff member's contact email as well, unless the company has changed it to a different address. */
export async function setStaffEmail(client: pg.PoolClient, { userId, email: previousEmail }: Account, email: string): Promise<void> {
  await client.query(
    'update staff_members set email = $3, updated_at = now(), version = version + 1 where profile_id = $1 and lower(email) = $2',
    [userId, previousEmail, email],
  );
}

/** Returns true if another staff member of the company has this email address. */
export async function isColleagueEmail(client: pg.PoolClient, { userId, companyId }: Account, email: string): Promise<boolean> {
  const { rows } = await client.query(
    'select from staff_members where company_id = $2 and lower(email) = $3 and profile_id is distinct from $1',
    [userId, companyId, email],
  );
  return rows.length > 0;
}
