import type pg from 'pg';

export interface Account {
  readonly userId: string;
  readonly email: string;
  /** Whether they have ever opened a link mailed to it. */
  readonly emailVerified: boolean;
  /** Null while they have none. */
  readonly companyId: string | null;
}

/** Nobody else changes the account until this transaction ends. Company, staff member, login: always locked in this order. */
export async function lockAccount(client: pg.PoolClient, userId: string): Promise<Account | null> {
  const { rows } = await client.query<{ company_id: string }>('select company_id from staff_members where profile_id = $1', [userId]);
  const companyId = rows[0]?.company_id ?? null;
  // The company's own lock comes first, as for whoever deletes it: in another order the two could wait for each other.
  if (companyId) await client.query('select from companies where company_id = $1 for key share', [companyId]);
  await client.query('select from staff_members where profile_id = $1 for update', [userId]);
  const login = await client.query<Pick<Account, 'email' | 'emailVerified'>>(
    'select email, email_verified as "emailVerified" from users where id = $1 for update',
    [userId],
  );
  return login.rows[0] ? { userId, companyId, ...login.rows[0] } : null;
}

/** Who changes how an account is signed in to ends every open link to it, but those that take it back after its email was changed. */
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

/** Of whoever has this email; null when nobody has. */
export async function readPasswordHashByEmail(pool: pg.Pool, email: string): Promise<string | null> {
  const { rows } = await pool.query<{ password: string | null }>(
    `select a.password from users u join accounts a on a.user_id = u.id where u.email = lower($1) and a.provider_id = 'credential'`,
    [email],
  );
  return rows[0]?.password ?? null;
}

/** False once the password is another than the one that was proven. */
export async function replacePassword(client: pg.PoolClient, userId: string, proven: string, next: string): Promise<boolean> {
  const { rows } = await client.query(
    `update accounts set password = $3, updated_at = now()
      where user_id = $1 and provider_id = 'credential' and password = $2 returning id`,
    [userId, proven, next],
  );
  return rows.length > 0;
}

/** Whether the password is still the one that was proven. Waits for a change under way. */
export async function isPasswordStill(client: pg.PoolClient, userId: string, proven: string): Promise<boolean> {
  await client.query('select from users where id = $1 for share', [userId]);
  // A statement of its own: only now is what the other one committed seen.
  const { rows } = await client.query(`select from accounts where user_id = $1 and provider_id = 'credential' and password = $2`, [
    userId,
    proven,
  ]);
  return rows.length > 0;
}

/** Who holds a mail sent to it has shown that it is theirs. */
export async function markEmailConfirmed(pool: pg.Pool, userId: string): Promise<void> {
  await pool.query('update users set email_verified = true, updated_at = now() where id = $1', [userId]);
}

export async function isUser(db: pg.Pool, userId: string): Promise<boolean> {
  const { rows } = await db.query('select from users where id = $1', [userId]);
  return rows.length > 0;
}

/** Also while somebody else may still take it back: whoever moved an account away could otherwise keep its email occupied. */
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

/** Replaces the one before, whose link then no longer works. A new email and the present one, to be confirmed, wait side by side. */
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

/** Uses the link up and gives the new email; null when it was used before, is too old, is another account's or never was. */
export async function consumeEmailChange(client: pg.PoolClient, userId: string, tokenHash: string): Promise<string | null> {
  const { rows } = await client.query<{ new_email: string }>(
    'delete from email_changes where user_id = $1 and token_hash = $2 and expires_at > now() returning new_email',
    [userId, tokenHash],
  );
  return rows[0]?.new_email ?? null;
}

/** Whoever moves an account to an email holds a mail that was sent to it. A claim of the account ends with the email it was made for. */
export async function setLoginEmail(client: pg.PoolClient, userId: string, email: string): Promise<void> {
  await client.query('update users set email = $2, email_verified = true, updated_at = now() where id = $1', [userId, email]);
  await client.query('update accounts set claimed_email = null where user_id = $1 and claimed_email <> $2', [userId, email]);
}

/** The staff member's email follows, unless the company keeps another one than their login's for them on purpose. */
export async function setStaffEmail(client: pg.PoolClient, { userId, email: before }: Account, email: string): Promise<void> {
  await client.query(
    'update staff_members set email = $3, updated_at = now(), version = version + 1 where profile_id = $1 and lower(email) = $2',
    [userId, before, email],
  );
}

/** Whether the company has this email for somebody else. */
export async function isColleagueEmail(client: pg.PoolClient, { userId, companyId }: Account, email: string): Promise<boolean> {
  const { rows } = await client.query(
    'select from staff_members where company_id = $2 and lower(email) = $3 and profile_id is distinct from $1',
    [userId, companyId, email],
  );
  return rows.length > 0;
}
