import { companyNotFound } from '@callout/contract/admin';
import type pg from 'pg';
import { failureOf } from '../../platform/errors/failures.ts';
import { LABEL } from './registered-companies.sql.ts';

/** A large company takes longer than the usual timeout, and a mail being sent has to finish first. */
export async function extendStatementTimeout(client: pg.PoolClient): Promise<void> {
  await client.query(`set local statement_timeout = '5min'`);
}

/** Locks the company, so that nothing can be added to it, and returns its label. */
export async function lockForRemoval(client: pg.PoolClient, companyId: string): Promise<string> {
  const { rows } = await client.query<{ label: string }>(`select ${LABEL} as label from companies c where c.company_id = $1 for update`, [
    companyId,
  ]);
  if (!rows[0]) throw failureOf(companyNotFound);
  return rows[0].label;
}

export interface Members {
  /** Their logins. */
  readonly userIds: readonly string[];
  /** In lower case; none that a login outside this company has. */
  readonly emails: readonly string[];
}

/** Locks the members, so that nobody gets a login or signs in until the transaction ends. */
export async function lockMembers(client: pg.PoolClient, companyId: string): Promise<Members> {
  const members = await client.query<{ profile_id: string | null; email: string }>(
    'select profile_id, email from staff_members where company_id = $1 order by id for update',
    [companyId],
  );
  const userIds = members.rows.flatMap(({ profile_id }) => profile_id ?? []);
  const logins = await client.query<{ email: string }>('select email from users where id = any ($1) order by id for update', [userIds]);
  const { rows } = await client.query<{ email: string }>(
    `with known as (select lower(a) as email from unnest($1::text[]) a
        union select lower(new_email) from email_changes where user_id = any ($2)
        union select email from password_links where user_id = any ($2))
      select email from known where not exists (select from users u where u.email = known.email and u.id <> all ($2))`,
    [[...members.rows, ...logins.rows].map(({ email }) => email), userIds],
  );
  return { userIds, emails: rows.map(({ email }) => email) };
}

/** The ids of the sessions that were ended. */
export async function deleteSessions(client: pg.PoolClient, { userIds }: Members): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>('delete from sessions where user_id = any ($1) returning id', [userIds]);
  return rows.map(({ id }) => id);
}

/** Returns the ids of the deleted mails, sent and unsent. */
export async function deleteMails(client: pg.PoolClient, companyId: string, { emails }: Members): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'delete from outbox_mails where company_id = $1 or (company_id is null and lower(recipient) = any ($2)) returning id',
    [companyId, emails],
  );
  return rows.map(({ id }) => id);
}

/** Foreign keys cascade to everything else of the company and its members' logins. */
export async function deleteCompany(client: pg.PoolClient, companyId: string, { userIds }: Members): Promise<void> {
  await client.query('delete from companies where company_id = $1', [companyId]);
  await client.query('delete from users where id = any ($1)', [userIds]);
}

/** Deletes rows that contain these ids or emails without a foreign key: rate-limit attempts and queued work. */
export async function purgeTraces(client: pg.PoolClient, words: readonly string[]): Promise<void> {
  await client.query('select forget_traces($1)', [words]);
}
