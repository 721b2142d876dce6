import type pg from 'pg';

export async function readPasswordHash(client: pg.PoolClient, userId: string): Promise<string | null> {
  const { rows } = await client.query<{ password: string | null }>(
    `select a.password from users u join accounts a on a.user_id = u.id and a.provider_id = 'credential' where u.id = $1 for update of u`,
    [userId],
  );
  return rows[0]?.password ?? null;
}

/** The ids of the person's other sessions, which have ended. */
export async function storePassword(client: pg.PoolClient, userId: string, passwordHash: string, thisSession: string): Promise<string[]> {
  await client.query(`update accounts set password = $2, updated_at = now() where user_id = $1 and provider_id = 'credential'`, [
    userId,
    passwordHash,
  ]);
  const { rows } = await client.query<{ id: string }>('delete from sessions where user_id = $1 and id <> $2 returning id', [
    userId,
    thisSession,
  ]);
  return rows.map((row) => row.id);
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

/** Place before login, as whoever deletes either: in another order two of them could wait for each other. */
async function holdPersonOf(client: pg.PoolClient, tokenHash: string): Promise<HeldPerson | null> {
  const asked = 'select user_id from email_changes where token_hash = $1';
  const place = await client.query<{ company_id: string }>(
    `select company_id from staff_members where profile_id = (${asked}) for update`,
    [tokenHash],
  );
  const login = await client.query<{ user_id: string; old_email: string }>(
    `select id as user_id, email as old_email from users where id = (${asked}) for update`,
    [tokenHash],
  );
  return login.rows[0] ? { ...login.rows[0], company_id: place.rows[0]?.company_id ?? null } : null;
}
