import { randomUUID } from 'node:crypto';
import type { Role } from '@callout/domain/roles/roles';
import type pg from 'pg';
import type { Member, Person } from '../db/actor.ts';
import { createBatchLoader } from '../db/batch-loader.ts';
import { mintTenant } from '../db/mint-tenant.ts';
import type { Tenant } from '../db/tenant-scope.ts';
import { WITHOUT_STANDBY } from '../limits/without-standby.ts';

/** Days until a session expires after its last renewal. Sessions are renewed at most once a day. */
export const SESSION_DAYS = 30;
const RENEW_AFTER_DAYS = 1;
/** Maximum days since sign-in, even with renewals, so that a stolen session can't be used forever. */
const MAX_SESSION_DAYS = 90;
/** A session's last-active time is updated at most once per interval, which saves a write on most calls. */
const TOUCH_AFTER_MINUTES = 10;

const TOUCH_DUE_CONDITION = `s.last_active_at < now() - interval '${TOUCH_AFTER_MINUTES} minutes'`;
const LATEST_SESSION_END = `s.created_at + interval '${MAX_SESSION_DAYS} days'`;

export interface ActiveSession {
  readonly actor: Person;
  readonly isRenewalDue: boolean;
  /** True if the last-active time is due for an update. */
  readonly isTouchDue: boolean;
  /** The database's time when the session was read. All processes share this clock, so it is the time of the call. */
  readonly readAt: Date;
  /** When the person's closed company will be deleted, or null. */
  readonly companyDeletesAt: Date | null;
  /** Returns the tenant for a call at `now`, or null if the person has no company. */
  getTenant(now: string, madeAgoMs?: number): Tenant | null;
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
  deletes_at: Date | null;
  read_at: Date;
}

/** Runs on every call. The role is read each time, so that a removed member loses access immediately. */
const FIND_SESSIONS = {
  name: 'read-session',
  text: `select s.token, s.id as session_id, u.id as user_id, u.email, u.email_verified, m.company_id, m.id as staff_id, m.role,
      s.expires_at < least(now() + interval '${SESSION_DAYS - RENEW_AFTER_DAYS} days', ${LATEST_SESSION_END}) as renew_due,
      ${TOUCH_DUE_CONDITION} as touch_due, c.deletes_at, now() as read_at
    from sessions s
    join users u on u.id = s.user_id
    left join staff_members m on m.profile_id = u.id
    left join companies c on c.company_id = m.company_id
    where s.token = any($1) and s.expires_at > now()`,
};

type SessionLoader = (token: string) => Promise<SessionRow | undefined>;

const sessionLoaders = new WeakMap<pg.Pool, SessionLoader>();

function getSessionLoader(pool: pg.Pool): SessionLoader {
  let loader = sessionLoaders.get(pool);
  if (!loader) {
    loader = createBatchLoader(async (tokens: readonly string[]) => {
      const { rows } = await pool.query<SessionRow>({ ...FIND_SESSIONS, values: [tokens] });
      return new Map(rows.map((row) => [row.token, row]));
    });
    sessionLoaders.set(pool, loader);
  }
  return loader;
}

export async function findSession(pool: pg.Pool, token: string): Promise<ActiveSession | null> {
  const row = await getSessionLoader(pool)(token);
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
  const getTenant = (now: string, madeAgoMs?: number) => member && mintTenant(member.companyId, actor, now, madeAgoMs);
  return {
    actor,
    isRenewalDue: row.renew_due,
    isTouchDue: row.touch_due,
    readAt: row.read_at,
    companyDeletesAt: row.deletes_at,
    getTenant,
  };
}

/** Locks the session, but skips one that is locked already: reads renew and touch sessions, and never wait. */
const UNLOCKED_SESSION = '(select id from sessions where id = $1 for no key update skip locked)';

export async function renewSession(pool: pg.Pool, sessionId: string): Promise<void> {
  await pool.query(
    `update sessions s set expires_at = least(now() + interval '${SESSION_DAYS} days', ${LATEST_SESSION_END}), updated_at = now() where s.id = ${UNLOCKED_SESSION} and ${WITHOUT_STANDBY}`,
    [sessionId],
  );
}

export interface SessionOrigin {
  readonly ip: string;
  readonly userAgent: string;
}

/** Updates the last-active time. Rechecks that an update is due, so that concurrent calls from one page write only once. */
export async function touchSession(pool: pg.Pool, sessionId: string, { ip, userAgent }: SessionOrigin): Promise<void> {
  await pool.query(
    `update sessions s set last_active_at = now(), ip_address = $2, user_agent = $3 where s.id = ${UNLOCKED_SESSION} and ${WITHOUT_STANDBY} and ${TOUCH_DUE_CONDITION}`,
    [sessionId, ip, userAgent],
  );
}

export interface SessionDevice {
  readonly id: string;
  readonly ip_address: string | null;
  readonly user_agent: string | null;
  readonly created_at: Date;
  readonly last_active_at: Date;
}

/** Lists the user's sessions, most recently active first. */
export async function listSessions(pool: pg.Pool, userId: string): Promise<SessionDevice[]> {
  const { rows } = await pool.query<SessionDevice>(
    `select id, ip_address, user_agent, created_at, last_active_at from sessions
      where user_id = $1 and expires_at > now() order by last_active_at desc, id`,
    [userId],
  );
  return rows;
}

/** Lists the IP addresses on which the account with this email address was last active in each of its sessions. */
export async function listSessionIps(pool: pg.Pool, email: string): Promise<string[]> {
  const { rows } = await pool.query<{ ip_address: string }>(
    `select distinct s.ip_address from sessions s join users u on u.id = s.user_id
      where u.email = lower($1) and s.expires_at > now() and s.ip_address is not null`,
    [email],
  );
  return rows.map((row) => row.ip_address);
}

/** Ends the session and returns its id, or null if no session has this token. */
export async function endSession(pool: pg.Pool, token: string): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>('delete from sessions where token = $1 returning id', [token]);
  return rows[0]?.id ?? null;
}

type SessionSelection = { readonly only: string } | { readonly except: string } | 'all';

/** Ends the selected sessions of the user and returns their ids. */
export async function endUserSessions(client: pg.PoolClient, userId: string, which: SessionSelection): Promise<string[]> {
  const { only, except } = which === 'all' ? { only: null, except: null } : { only: null, except: null, ...which };
  const { rows } = await client.query<{ id: string }>(
    'delete from sessions where user_id = $1 and ($2::uuid is null or id = $2) and ($3::uuid is null or id <> $3) returning id',
    [userId, only, except],
  );
  return rows.map((row) => row.id);
}

/** Returns the name of the company if the session ended because its person was removed from the company, otherwise null. */
export async function findEndedMembership(pool: pg.Pool, token: string): Promise<string | null> {
  const { rows } = await pool.query<{ company_name: string | null }>(
    `select c.company_name from ended_memberships e join companies c on c.company_id = e.company_id
      where e.session_hash = encode(sha256(convert_to($1, 'UTF8')), 'hex')`,
    [token],
  );
  return rows[0] ? (rows[0].company_name ?? 'the company') : null;
}

export async function purgeExpiredSessionsAndLinks(pool: pg.Pool): Promise<void> {
  await pool.query(`delete from ended_memberships where ended_at < now() - interval '${SESSION_DAYS} days'`);
  await pool.query('delete from sessions where expires_at < now()');
  await pool.query('delete from email_changes where expires_at < now()');
  await pool.query('delete from password_links where expires_at < now()');
}

export interface NewCompany {
  readonly tenant: Tenant;
  readonly founder: Person;
  readonly member: Member;
}

/** Mints the tenant and the admin membership, with new ids, for a company that is about to be created. */
export function mintNewCompany(person: Person, now: string): NewCompany {
  const member: Member = { companyId: randomUUID(), staffId: randomUUID(), role: 'admin' };
  const founder: Person = { ...person, member };
  return { tenant: mintTenant(member.companyId, founder, now), founder, member };
}
