import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';

/** Returns true if the email address belongs to a staff member of any company. */
export async function isStaffEmail(scope: TenantScope, email: string): Promise<boolean> {
  const { rows } = await scope.db.execute<{ taken: boolean }>(sql`select address_has_company(${email}) as taken`);
  return rows[0]?.taken === true;
}

/** Locks the company's staff, and the member's own unfinished company, which joining replaces. */
export async function lockCompaniesForJoin(scope: TenantScope, staffId: string): Promise<void> {
  await scope.db.execute(sql`select lock_companies_to_join(${staffId}::uuid)`);
}

export interface StaffLogin {
  readonly userId: string;
  /** Ids of the sessions that ended because the login took over an existing account with the same email address. */
  readonly ended_sessions: readonly string[];
  /** Id of the person's unfinished company. Its data is deleted, but its files are still on disk. */
  readonly replaced_company: string | null;
}

export interface NewLogin {
  readonly id: string;
  readonly passwordHash: string;
  /** True if the link proves ownership of the email address. If false, an existing account is never taken over. */
  readonly provesEmail: boolean;
}

/** Returns null if the member already has a login, or if an account with their address is in a company or can't be taken over. */
export async function createOrTakeOverLogin(scope: TenantScope, staffId: string, login: NewLogin): Promise<StaffLogin | null> {
  const { rows } = await scope.db.execute<{ login: string | null; ended_sessions: string[] | null; replaced_company: string | null }>(
    sql`select login, ended_sessions, replaced_company
      from give_login(${staffId}::uuid, ${login.id}::uuid, ${login.passwordHash}, ${login.provesEmail})`,
  );
  const { login: userId, ended_sessions, replaced_company = null } = rows[0] ?? {};
  return userId ? { userId, ended_sessions: ended_sessions ?? [], replaced_company } : null;
}

/** Attaches a login with the member's confirmed email address, keeping its password and sessions. Returns null if the login can't join. */
export async function attachExistingLogin(scope: TenantScope, staffId: string, userId: string): Promise<StaffLogin | null> {
  const { rows } = await scope.db.execute<{ joined: boolean; replaced_company: string | null }>(
    sql`select joined, replaced_company from join_with_login(${staffId}::uuid, ${userId}::uuid)`,
  );
  const { joined = false, replaced_company = null } = rows[0] ?? {};
  return joined ? { userId, ended_sessions: [], replaced_company } : null;
}

/** Deletes the login. A system administrator's login is only detached from the company. Returns the ids of the ended sessions. */
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
