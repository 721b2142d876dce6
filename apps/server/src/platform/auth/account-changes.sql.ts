import type pg from 'pg';

export interface Account {
  readonly userId: string;
  readonly email: string;
  /** Whether they have opened a link mailed to it. */
  readonly emailVerified: boolean;
  /** Null while they have none. */
  readonly companyId: string | null;
}

/** Locks the account until the transaction ends. Lock order: company, staff member, login. */
export async function lockAccount(client: pg.PoolClient, userId: string): Promise<Account | null> {
  const { rows } = await client.query<{ company_id: string }>('select company_id from staff_members where profile_id = $1', [userId]);
  const companyId = rows[0]?.company_id ?? null;
  // The company is locked first, as when it is deleted; any other order could deadlock.
  if (companyId) await client.query('select from companies where company_id = $1 for key share', [companyId]);
  await client.query('select from staff_members where profile_id = $1 for update', [userId]);
  const login = await client.query<Pick<Account, 'email' | 'emailVerified'>>(
    'select email, email_verified as "emailVerified" from users where id = $1 for update',
    [userId],
  );
  return login.rows[0] ? { userId, companyId, ...login.rows[0] } : null;
}

/** Changing a login's email or password ends every open link to the account, except those that undo an email change. */
export async function endOpenLinks(client: pg.PoolClient, userId: string): Promise<void> {
  await client.query('delete from email_changes where user_id = $1', [userId]);
  await client.query(`delete from password_links where user_id = $1 and kind = 'reset'`, [userId]);
}

export async function readPasswordHash(pool: pg.Pool, userId: string): Promise<string | null> {
  const { rows } = await pool.query<{ password: string | null }>(
    `select password from accounts where user_id = $1 and provider_id = 'credential'`,
    [userId],
  );
  return rows[0]?.password ?? null;
}

/** The password hash of the account with this email, or null. */
export async function readPasswordHashByEmail(pool: pg.Pool, email: string): Promise<string | null> {
  const { rows } = await pool.query<{ password: string | null }>(
    `select a.password from users u join accounts a on a.user_id = u.id where u.email = lower($1) and a.provider_id = 'credential'`,
    [email],
  );
  return rows[0]?.password ?? null;
}

/** False when the password has changed since it was verified. */
export async function replacePassword(client: pg.PoolClient, userId: string, proven: string, next: string): Promise<boolean> {
  const { rows } = await client.query(
    `update accounts set password = $3, updated_at = now()
      where user_id = $1 and provider_id = 'credential' and password = $2 returning id`,
    [userId, proven, next],
  );
  return rows.length > 0;
}

/** Whether the password is still the one that was verified. Waits for a concurrent change. */
export async function isPasswordStill(client: pg.PoolClient, userId: string, proven: string): Promise<boolean> {
  await client.query('select from users where id = $1 for share', [userId]);
  // A separate statement, so that it sees what the concurrent transaction committed.
  const { rows } = await client.query(`select from accounts where user_id = $1 and provider_id = 'credential' and password = $2`, [
    userId,
    proven,
  ]);
  return rows.length > 0;
}

/** Opening a link mailed to the email proves that it is theirs. */
export async function markEmailConfirmed(pool: pg.Pool, userId: string): Promise<void> {
  await pool.query('update users set email_verified = true, updated_at = now() where id = $1', [userId]);
}

export async function isUser(db: pg.Pool, userId: string): Promise<boolean> {
  const { rows } = await db.query('select from users where id = $1', [userId]);
  return rows.length > 0;
}

/** An email also counts as taken while its previous owner can still undo the change. */
export async function isEmailTaken(db: pg.Pool | pg.PoolClient, email: string, exceptUserId: string | null = null): Promise<boolean> {
  const { rows } = await db.query(
    `select from users where email = lower($1) and id is distinct from $2
      union all
      select from password_links where kind = 'undo' and email = lower($1) and expires_at > now() and user_id is distinct from $2`,
    [email, exceptUserId],
  );
  return rows.length > 0;
}

interface OpenEmailChange {
  readonly userId: string;
  readonly newEmail: string;
  readonly tokenHash: string;
  readonly hours: number;
}

/** Replaces the previous request, whose link stops working. A pending new email and a pending confirmation of the current one can coexist. */
export async function storeEmailChange(client: pg.PoolClient, { userId, newEmail, tokenHash, hours }: OpenEmailChange): Promise<void> {
  await client.query(
    `delete from email_changes e using users u
      where e.user_id = $1 and u.id = $1 and (e.new_email = u.email) = (lower($2) = u.email)`,
    [userId, newEmail],
  );
  await client.query(
    'insert into email_changes (user_id, new_email, token_hash, expires_at) values ($1, lower($2), $3, now() + make_interval(hours => $4))',
    [userId, newEmail, tokenHash, hours],
  );
}

/** Consumes the link and returns the new email; null when the link was used, has expired, belongs to another account or never existed. */
export async function consumeEmailChange(client: pg.PoolClient, userId: string, tokenHash: string): Promise<string | null> {
  const { rows } = await client.query<{ new_email: string }>(
    'delete from email_changes where user_id = $1 and token_hash = $2 and expires_at > now() returning new_email',
    [userId, tokenHash],
  );
  return rows[0]?.new_email ?? null;
}

/** The new email is confirmed, because its link was opened. A claim of the account ends with the email it was made for. */
export async function setLoginEmail(client: pg.PoolClient, userId: string, email: string): Promise<void> {
  await client.query('update users set email = $2, email_verified = true, updated_at = now() where id = $1', [userId, email]);
  await client.query('update accounts set claimed_email = null where user_id = $1 and claimed_email <> $2', [userId, email]);
}

/** Updates the staff member's email too, unless the company deliberately keeps a different contact email. */
export async function setStaffEmail(client: pg.PoolClient, { userId, email: before }: Account, email: string): Promise<void> {
  await client.query(
    'update staff_members set email = $3, updated_at = now(), version = version + 1 where profile_id = $1 and lower(email) = $2',
    [userId, before, email],
  );
}

/** Whether another member of the company has this email. */
export async function isColleagueEmail(client: pg.PoolClient, { userId, companyId }: Account, email: string): Promise<boolean> {
  const { rows } = await client.query(
    'select from staff_members where company_id = $2 and lower(email) = $3 and profile_id is distinct from $1',
    [userId, companyId, email],
  );
  return rows.length > 0;
}
