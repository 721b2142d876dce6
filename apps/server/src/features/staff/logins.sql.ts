import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';

/** Whether this email belongs to a staff member of any company. */
export async function emailHasCompany(scope: TenantScope, email: string): Promise<boolean> {
  const { rows } = await scope.db.execute<{ taken: boolean }>(sql`select address_has_company(${email}) as taken`);
  return rows[0]?.taken === true;
}

/** Takes the same lock as `lockStaff`, and locks the unfinished company that is replaced when this member joins. */
export async function lockCompaniesToJoin(scope: TenantScope, staffId: string): Promise<void> {
  await scope.db.execute(sql`select lock_companies_to_join(${staffId}::uuid)`);
}

export interface AttachedLogin {
  readonly login: string;
  /** The sessions of an existing user with this email, who has no finished company. */
  readonly ended_sessions: readonly string[];
  /** Their unfinished company, now deleted; its files still exist. */
  readonly replaced_company: string | null;
}

export interface NewLogin {
  readonly id: string;
  readonly passwordHash: string;
  /** Without it an account that has the email is never taken over. */
  readonly provesEmail: boolean;
}

/** The login that the member now has; null when they already have one, or their email belongs to a company or can't be taken over. */
export async function createLogin(scope: TenantScope, staffId: string, login: NewLogin): Promise<AttachedLogin | null> {
  const { rows } = await scope.db.execute<{ login: string | null; ended_sessions: string[] | null; replaced_company: string | null }>(
    sql`select login, ended_sessions, replaced_company
      from give_login(${staffId}::uuid, ${login.id}::uuid, ${login.passwordHash}, ${login.provesEmail})`,
  );
  const [given] = rows;
  return given?.login ? { login: given.login, ended_sessions: given.ended_sessions ?? [], replaced_company: given.replaced_company } : null;
}

/** The same for a login that has confirmed the member's email; it keeps its password and its sessions. */
export async function joinWithLogin(scope: TenantScope, staffId: string, login: string): Promise<AttachedLogin | null> {
  const { rows } = await scope.db.execute<{ joined: boolean; replaced_company: string | null }>(
    sql`select joined, replaced_company from join_with_login(${staffId}::uuid, ${login}::uuid)`,
  );
  const { joined = false, replaced_company = null } = rows[0] ?? {};
  return joined ? { login, ended_sessions: [], replaced_company } : null;
}

/** The ids of the sessions that ended with the login. The administrator's login stays, without a company. */
export async function deleteLogin(scope: TenantScope, staffId: string, adminEmail: string | undefined): Promise<string[]> {
  const { rows } = await scope.db.execute<{ session_id: string }>(
    sql`select remove_login(${staffId}::uuid, ${adminEmail ?? null}) as session_id`,
  );
  return rows.map((row) => row.session_id);
}

export async function isLoginEmail(pool: pg.Pool, userId: string, email: string): Promise<boolean> {
  const { rows } = await pool.query('select 1 from users where id = $1 and email = lower($2)', [userId, email]);
  return rows.length > 0;
}
