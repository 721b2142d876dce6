import type { Role } from '@callout/domain/roles/roles';
import type pg from 'pg';
import type { Person } from '../db/actor.ts';
import { batchLoad } from '../db/batch-load.ts';
import { mintTenant } from '../db/mint-tenant.ts';
import type { Tenant } from '../db/tenant-scope.ts';

/** A session lives this long after it was last renewed; it is renewed once it has used up a day. */
export const SESSION_DAYS = 30;
const RENEW_AFTER_DAYS = 1;

export interface LiveSession {
  readonly actor: Person;
  readonly renewDue: boolean;
  /** Lets them into their company for a call at this moment; null while they have none. */
  tenantAt(now: string): Tenant | null;
}

interface SessionRow {
  token: string;
  session_id: string;
  user_id: string;
  email: string;
  email_verified: boolean;
  company_id: string | null;
  staff_id: string | null;
  role: Role | null;
  renew_due: boolean;
}

/** Session, person, company and role in one statement, on every call: who was removed is out at once. */
const READ_SESSION = {
  name: 'read-session',
  text: `select s.token, s.id as session_id, u.id as user_id, u.email, u.email_verified, m.company_id, m.id as staff_id, m.role,
      s.expires_at < now() + interval '${SESSION_DAYS - RENEW_AFTER_DAYS} days' as renew_due
    from sessions s
    join users u on u.id = s.user_id
    left join staff_members m on m.profile_id = u.id
    where s.token = any($1) and s.expires_at > now()`,
};

type SessionReader = (token: string) => Promise<SessionRow | undefined>;

const sessionReaders = new WeakMap<pg.Pool, SessionReader>();

function sessionReaderOf(pool: pg.Pool): SessionReader {
  let reader = sessionReaders.get(pool);
  if (!reader) {
    reader = batchLoad(async (tokens: readonly string[]) => {
      const { rows } = await pool.query<SessionRow>({ ...READ_SESSION, values: [tokens] });
      return new Map(rows.map((row) => [row.token, row]));
    });
    sessionReaders.set(pool, reader);
  }
  return reader;
}

export async function readSession(pool: pg.Pool, token: string): Promise<LiveSession | null> {
  const row = await sessionReaderOf(pool)(token);
  if (!row) return null;
  const { company_id, staff_id, role } = row;
  const member = company_id && staff_id && role ? { companyId: company_id, staffId: staff_id, role } : null;
  const actor: Person = {
    kind: 'person',
    userId: row.user_id,
    email: row.email,
    emailVerified: row.email_verified,
    sessionId: row.session_id,
    member,
  };
  return { actor, renewDue: row.renew_due, tenantAt: (now) => member && mintTenant(member.companyId, actor, now) };
}

export async function renewSession(pool: pg.Pool, sessionId: string): Promise<void> {
  await pool.query(`update sessions set expires_at = now() + interval '${SESSION_DAYS} days', updated_at = now() where id = $1`, [
    sessionId,
  ]);
}

/** The id of the session that was ended, if there was one. */
export async function endSession(pool: pg.Pool, token: string): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>('delete from sessions where token = $1 returning id', [token]);
  return rows[0]?.id ?? null;
}

/** The ids of the sessions that were ended. */
export async function endSessionsOf(pool: pg.Pool, userId: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>('delete from sessions where user_id = $1 returning id', [userId]);
  return rows.map((row) => row.id);
}

export async function purgeEndedSessions(pool: pg.Pool): Promise<void> {
  await pool.query('delete from sessions where expires_at < now()');
  await pool.query('delete from verifications where expires_at < now()');
  await pool.query('delete from email_changes where expires_at < now()');
}

/** The company in which the account with this address works. */
export async function companyOfAccount(pool: pg.Pool, email: string): Promise<string | null> {
  const { rows } = await pool.query<{ company_id: string }>(
    'select m.company_id from users u join staff_members m on m.profile_id = u.id where u.email = lower($1)',
    [email],
  );
  return rows[0]?.company_id ?? null;
}

export async function emailIsTaken(pool: pg.Pool, email: string): Promise<boolean> {
  const { rows } = await pool.query('select 1 from users where email = lower($1)', [email]);
  return rows.length > 0;
}
