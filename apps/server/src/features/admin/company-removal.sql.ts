import { companyNotFoundError } from '@callout/contract/admin';
import type pg from 'pg';
import { toFailure } from '../../platform/errors/failures.ts';
import { COMPANY_LABEL } from './registered-companies.sql.ts';

/** Raises the timeouts, because deleting a large company takes long and may have to wait for an email that is being sent. */
export async function extendTimeouts(client: pg.PoolClient): Promise<void> {
  await client.query(`set local statement_timeout = '5min'; set local lock_timeout = '5min'`);
}

/** Locks the company so that nothing can be added to it, and returns the label that confirms a deletion. */
export async function lockCompanyAndReadLabel(client: pg.PoolClient, companyId: string): Promise<string> {
  const { rows } = await client.query<{ label: string }>(
    `select ${COMPANY_LABEL} as label from companies c where c.company_id = $1 for update`,
    [companyId],
  );
  if (!rows[0]) throw toFailure(companyNotFoundError);
  return rows[0].label;
}

const IS_DELETION_DUE = 'deletes_at <= now()';

export async function listCompaniesToDelete(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ company_id: string }>(
    `select company_id from companies where ${IS_DELETION_DUE} order by deletes_at, company_id`,
  );
  return rows.map(({ company_id }) => company_id);
}

/** Locks the company so that nothing can be added to it. Returns false if it is no longer due for deletion. */
export async function lockCompanyToDelete(client: pg.PoolClient, companyId: string): Promise<boolean> {
  const { rows } = await client.query(`select from companies where company_id = $1 and ${IS_DELETION_DUE} for update`, [companyId]);
  return rows.length > 0;
}

export interface CompanyMembers {
  /** User ids of the members who can sign in. */
  readonly userIds: readonly string[];
  /** Lowercase email addresses of the members, except those that also belong to a login outside this company. */
  readonly emails: readonly string[];
}

/**
 * Locks the members so that none of them can get a login or sign in until the transaction ends. Leaves out the login with `adminEmail`, which
 * outlives the company.
 */
export async function lockMembers(client: pg.PoolClient, companyId: string, adminEmail: string | undefined): Promise<CompanyMembers> {
  const members = await client.query<{ profile_id: string | null; email: string }>(
    'select profile_id, email from staff_members where company_id = $1 and deleted_at is null order by id for update',
    [companyId],
  );
  const logins = await client.query<{ id: string; email: string }>(
    'select id, email from users where id = any ($1) and email is distinct from $2 order by id for update',
    [members.rows.flatMap(({ profile_id }) => profile_id ?? []), adminEmail?.toLowerCase() ?? null],
  );
  const userIds = logins.rows.map(({ id }) => id);
  const { rows } = await client.query<{ email: string }>(
    `with known as (select lower(a) as email from unnest($1::text[]) a
        union select lower(new_email) from email_changes where user_id = any ($2)
        union select email from password_links where user_id = any ($2))
      select email from known where not exists (select from users u where u.email = known.email and u.id <> all ($2))`,
    [[...members.rows, ...logins.rows].map(({ email }) => email), userIds],
  );
  return { userIds, emails: rows.map(({ email }) => email) };
}

/** Deletes the members' sessions and returns the sessions' ids. */
export async function deleteMemberSessions(client: pg.PoolClient, { userIds }: CompanyMembers): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>('delete from sessions where user_id = any ($1) returning id', [userIds]);
  return rows.map(({ id }) => id);
}

/** Deletes the company's emails and account emails to its members, sent or unsent, and returns the emails' ids. */
export async function deleteCompanyMails(client: pg.PoolClient, companyId: string, { emails }: CompanyMembers): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'delete from outbox_mails where company_id = $1 or (company_id is null and lower(recipient) = any ($2)) returning id',
    [companyId, emails],
  );
  return rows.map(({ id }) => id);
}

/** Deletes the company and its members' logins. Foreign keys cascade to all their other rows. */
export async function deleteCompany(client: pg.PoolClient, companyId: string, { userIds }: CompanyMembers): Promise<void> {
  await client.query('delete from companies where company_id = $1', [companyId]);
  await client.query('delete from users where id = any ($1)', [userIds]);
  // They may also have notifications from a company that they worked for before.
  await client.query('delete from notifications where user_id = any ($1)', [userIds]);
}

/** Deletes rate-limit attempts and queued jobs that contain one of the `identifiers`. No foreign key deletes them automatically. */
export async function purgeLooseReferences(client: pg.PoolClient, identifiers: readonly string[]): Promise<void> {
  await client.query('select forget_traces($1)', [identifiers]);
}
