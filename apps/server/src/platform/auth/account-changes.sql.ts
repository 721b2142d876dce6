import type pg from 'pg';

/** What goes with every change of who holds a login: links that set a password or move the address. */
export async function forgetLinksOf(db: pg.Pool | pg.PoolClient, userId: string): Promise<void> {
  await db.query('delete from email_changes where user_id = $1', [userId]);
  await db.query('delete from verifications where value = $1', [userId]);
}

export async function readPasswordHash(pool: pg.Pool, userId: string): Promise<string | null> {
  const { rows } = await pool.query<{ password: string | null }>(
    `select password from accounts where user_id = $1 and provider_id = 'credential'`,
    [userId],
  );
  return rows[0]?.password ?? null;
}

/** False once the password is another than the one that was proven. Holds the login, so that nobody changes it until this transaction ends. */
export async function replacePassword(client: pg.PoolClient, userId: string, proven: string, next: string): Promise<boolean> {
  await client.query('select from users where id = $1 for update', [userId]);
  const { rows } = await client.query(
    `update accounts set password = $3, updated_at = now()
      where user_id = $1 and provider_id = 'credential' and password = $2 returning id`,
    [userId, proven, next],
  );
  return rows.length > 0;
}

/** The ids of the sessions that were ended. */
export async function endOtherSessions(client: pg.PoolClient, userId: string, thisSession: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>('delete from sessions where user_id = $1 and id <> $2 returning id', [
    userId,
    thisSession,
  ]);
  return rows.map((row) => row.id);
}

/** Whether a session that was just made still rests on the password that counts. Waits for a change under way. */
export async function isPasswordStill(client: pg.PoolClient, userId: string, proven: string): Promise<boolean> {
  await client.query('select from users where id = $1 for share', [userId]);
  // A statement of its own: only now is what the other one committed seen.
  const { rows } = await client.query(`select from accounts where user_id = $1 and provider_id = 'credential' and password = $2`, [
    userId,
    proven,
  ]);
  return rows.length > 0;
}

/** Company before everything else, as whoever deletes it: in another order two of them could wait for each other. */
export async function keepCompany(client: pg.PoolClient, companyId: string | null): Promise<void> {
  if (companyId) await client.query('select from companies where company_id = $1 for key share', [companyId]);
}

/** Who holds a mail sent to it has shown that it is theirs. */
export async function confirmAddress(pool: pg.Pool, userId: string): Promise<void> {
  await pool.query('update users set email_verified = true, updated_at = now() where id = $1', [userId]);
}

export interface OpenEmailChange {
  readonly userId: string;
  readonly newEmail: string;
  readonly tokenHash: string;
  readonly hours: number;
}

/** A second request replaces the first, whose link then no longer works. */
export async function storeEmailChange(client: pg.PoolClient, { userId, newEmail, tokenHash, hours }: OpenEmailChange): Promise<void> {
  await client.query(
    `insert into email_changes (user_id, new_email, token_hash, expires_at) values ($1, lower($2), $3, now() + make_interval(hours => $4))
      on conflict (user_id) do update set new_email = excluded.new_email, token_hash = excluded.token_hash, expires_at = excluded.expires_at`,
    [userId, newEmail, tokenHash, hours],
  );
}

export interface ChangedEmail {
  readonly old_email: string;
  readonly new_email: string;
  readonly company_id: string | null;
}

/** Uses the link up; null when it was used before, is too old or never was. */
export async function confirmEmailChange(client: pg.PoolClient, tokenHash: string): Promise<ChangedEmail | null> {
  const person = await holdPersonOf(client, tokenHash);
  if (!person) return null;
  const { rows } = await client.query<{ new_email: string }>(
    'delete from email_changes where token_hash = $1 and expires_at > now() returning new_email',
    [tokenHash],
  );
  const new_email = rows[0]?.new_email;
  if (new_email === undefined) return null;
  const { user_id, old_email, company_id } = person;
  await forgetLinksOf(client, user_id);
  await client.query('update users set email = $2, email_verified = true, updated_at = now() where id = $1', [user_id, new_email]);
  // An address that the company keeps for them on purpose, other than their login, stays.
  await client.query(
    'update staff_members set email = $3, updated_at = now(), version = version + 1 where profile_id = $1 and lower(email) = $2',
    [user_id, old_email, new_email],
  );
  return { old_email, new_email, company_id };
}

interface HeldPerson {
  readonly user_id: string;
  readonly old_email: string;
  readonly company_id: string | null;
}

/** Company, place, login: always in this order. */
async function holdPersonOf(client: pg.PoolClient, tokenHash: string): Promise<HeldPerson | null> {
  const asked = 'select user_id from email_changes where token_hash = $1';
  const { rows } = await client.query<{ company_id: string }>(`select company_id from staff_members where profile_id = (${asked})`, [
    tokenHash,
  ]);
  const company_id = rows[0]?.company_id ?? null;
  await keepCompany(client, company_id);
  await client.query(`select from staff_members where profile_id = (${asked}) for update`, [tokenHash]);
  const login = await client.query<{ user_id: string; old_email: string }>(
    `select id as user_id, email as old_email from users where id = (${asked}) for update`,
    [tokenHash],
  );
  return login.rows[0] ? { ...login.rows[0], company_id } : null;
}
