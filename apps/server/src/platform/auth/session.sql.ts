import { randomUUID } from 'node:crypto';
import type { Role } from '@callout/domain/roles/roles';
import type pg from 'pg';
import type { Member, Person } from '../db/actor.ts';
import { batchLoad } from '../db/batch-load.ts';
import { mintTenant } from '../db/mint-tenant.ts';
import type { Tenant } from '../db/tenant-scope.ts';

/** A session lasts this long after its last renewal; it is renewed at most once a day. */
export const SESSION_DAYS = 30;
const RENEW_AFTER_DAYS = 1;
/** Absolute limit after sign-in, so that a stolen session does not work forever. */
const MAX_SESSION_DAYS = 90;
/** Last-active times are accurate to this many minutes, which limits writes. */
const TOUCH_AFTER_MINUTES = 10;

const TOUCH_DUE = `s.last_active_at < now() - interval '${TOUCH_AFTER_MINUTES} minutes'`;
const MAX_SESSION_END = `s.created_at + interval '${MAX_SESSION_DAYS} days'`;

export interface LiveSession {
  readonly actor: Person;
  readonly renewDue: boolean;
  /** Whether the last-active time is due for an update. */
  readonly touchDue: boolean;
  /** Their tenant for a call at this time; null while they have no company. */
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
  touch_due: boolean;
}

/** Reads session, person, company and role in one statement on every call, so that a removed member is locked out immediately. */
const READ_SESSION = {
  name: 'read-session',
  text: `select s.token, s.id as session_id, u.id as user_id, u.email, u.email_verified, m.company_id, m.id as staff_id, m.role,
      s.expires_at < least(now() + interval '${SESSION_DAYS - RENEW_AFTER_DAYS} days', ${MAX_SESSION_END}) as renew_due,
      ${TOUCH_DUE} as touch_due
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
  return { actor, renewDue: row.renew_due, touchDue: row.touch_due, tenantAt: (now) => member && mintTenant(member.companyId, actor, now) };
}

export async function renewSession(pool: pg.Pool, sessionId: string): Promise<void> {
  await pool.query(
    `update sessions s set expires_at = least(now() + interval '${SESSION_DAYS} days', ${MAX_SESSION_END}), updated_at = now() where s.id = $1`,
    [sessionId],
  );
}

/** Where a session is used from. */
export interface SessionOrigin {
  readonly ip: string;
  readonly userAgent: string;
}

/** Writes once even when an opening page makes several calls at the same time. */
export async function touchSession(pool: pg.Pool, sessionId: string, { ip, userAgent }: SessionOrigin): Promise<void> {
  await pool.query(`update sessions s set last_active_at = now(), ip_address = $2, user_agent = $3 where s.id = $1 and ${TOUCH_DUE}`, [
    sessionId,
    ip,
    userAgent,
  ]);
}

export interface SessionDevice {
  readonly id: string;
  readonly ip_address: string | null;
  readonly user_agent: string | null;
  readonly created_at: Date;
  readonly last_active_at: Date;
}

/** Most recently active first. */
export async function listSessions(pool: pg.Pool, userId: string): Promise<SessionDevice[]> {
  const { rows } = await pool.query<SessionDevice>(
    `select id, ip_address, user_agent, created_at, last_active_at from sessions
      where user_id = $1 and expires_at > now() order by last_active_at desc, id`,
    [userId],
  );
  return rows;
}

/** Returns the id of the ended session, if there was one. */
export async function endSession(pool: pg.Pool, token: string): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>('delete from sessions where token = $1 returning id', [token]);
  return rows[0]?.id ?? null;
}

type WhichSessions = { readonly only: string } | { readonly except: string } | 'all';

/** Returns the ids of the ended sessions. */
export async function endSessionsOf(client: pg.PoolClient, userId: string, which: WhichSessions): Promise<string[]> {
  const { only, except } = which === 'all' ? { only: null, except: null } : { only: null, except: null, ...which };
  const { rows } = await client.query<{ id: string }>(
    'delete from sessions where user_id = $1 and ($2::uuid is null or id = $2) and ($3::uuid is null or id <> $3) returning id',
    [userId, only, except],
  );
  return rows.map((row) => row.id);
}

export async function purgeEndedSessions(pool: pg.Pool): Promise<void> {
  await pool.query('delete from sessions where expires_at < now()');
  await pool.query('delete from email_changes where expires_at < now()');
  await pool.query('delete from password_links where expires_at < now()');
}

export interface NewCompany {
  readonly tenant: Tenant;
  readonly founder: Person;
  readonly member: Member;
}

/** Creates the tenant for a company that does not exist yet, under a new id. */
export function newCompanyFor(person: Person, now: string): NewCompany {
  const member: Member = { companyId: randomUUID(), staffId: randomUUID(), role: 'admin' };
  const founder: Person = { ...person, member };
  return { tenant: mintTenant(member.companyId, founder, now), founder, member };
}
