import { randomBytes, randomUUID } from 'node:crypto';
import { ACTIVE_JOB_STATUSES } from '@callout/domain/jobs/job';
import type { Role } from '@callout/domain/roles/roles';
import { DAY_MS } from '@callout/domain/time/time-units';
import pg from 'pg';
import { addUpCountChanges } from '../apps/server/src/features/dashboard/dashboard.sql.ts';
import type { SessionCookie } from '../apps/server/src/platform/auth/session-cookie.ts';
import type { DatabaseConnection } from '../apps/server/src/platform/db/pools.ts';
import { copyCompany } from './multiply-records.ts';
import { type CompanySize, fillDatabase, insertCompany, insertCompanyRecords, TABLES_READ_BY_TRIGGERS } from './seed-database.ts';
import type { Firm } from './working-day.ts';

/** Six weeks of a firm of ten people: one job a day for each of the eight who work outside, every second one with an invoice. */
export const FIRM_SIZE: CompanySize = { customers: 75, jobs: 250, quotes: 60, tasks: 40, items: 120 };
export const FIRM_SIZES_PER_YEAR = 8;
const ROLES: readonly Role[] = ['admin', 'manager', 'staff', 'staff', 'staff', 'staff', 'staff', 'staff', 'staff', 'staff'];
const SEED = 30_000;
const SAMPLE_SIZE = 25;
const SESSION_MS = 30 * DAY_MS;

/** Fills the database with `count` firms of ten people and returns what the load needs to work for them. */
export async function seedFirms(database: DatabaseConnection, count: number, cookie: SessionCookie): Promise<readonly Firm[]> {
  await fillDatabase(database, async (client, dropAllIndexes) => {
    const companyId = randomUUID();
    await dropAllIndexes(TABLES_READ_BY_TRIGGERS);
    await insertCompany(client, companyId, 'Firm');
    await client.query(INSERT_STAFF, [companyId, ROLES]);
    await insertCompanyRecords(client, companyId, SEED, FIRM_SIZE);
    for (const table of ['jobs', 'tasks', 'time_entries']) await client.query(buildAssignment(table), [companyId]);
    await addUpCountChanges(client);
    await dropAllIndexes([]);
    if (count > 1) await copyCompany(client, companyId, count - 1);
    await client.query(CREATE_LOGINS);
  });
  return readFirms(database, cookie);
}

const INSERT_STAFF = `insert into staff_members (company_id, id, name, email, role, is_owner)
  select $1, gen_random_uuid(), 'Person ' || n, 'person' || n || '@example.com', role, n = 1 from unnest($2::text[]) with ordinality p (role, n)`;

const buildAssignment = (table: string) => `update ${table} t set staff_id = p.id
  from (select id, row_number() over (order by id) - 1 as n from staff_members where company_id = $1) p
  where t.company_id = $1 and p.n = abs(hashtext(t.id::text)) % ${ROLES.length}`;

/** A login has the id of its staff member. Nobody signs in: hashing 10,000 passwords would take longer than everything else. */
const CREATE_LOGINS = `insert into users (id, name, email, email_verified) select id, name, id || '@example.com', true from staff_members;
  update staff_members set profile_id = id`;

const READ_FIRMS = `select c.company_id,
    (select array_agg(id order by role = 'staff', id) from staff_members m where m.company_id = c.company_id) as people,
    (select array_agg(id) from (select id from customers r where r.company_id = c.company_id order by id limit $2) r) as customers,
    (select array_agg(id) from (select id from jobs r where r.company_id = c.company_id and status = any($1) order by id limit $2) r) as jobs,
    (select array_agg(id) from (select id from quotes r where r.company_id = c.company_id order by id limit $2) r) as quotes,
    (select array_agg('/api/public/' || record_kind || 's/' || token) from (select record_kind, token from public_links r
      where r.company_id = c.company_id and record_kind in ('quote', 'invoice') order by token limit $2) r) as public_paths
  from companies c`;

async function readFirms(database: DatabaseConnection, cookie: SessionCookie): Promise<Firm[]> {
  const client = new pg.Client(database);
  await client.connect();
  try {
    const { rows } = await client.query<Omit<Firm, 'cookies'>>(READ_FIRMS, [ACTIVE_JOB_STATUSES, SAMPLE_SIZE]);
    const sessions = rows.flatMap(({ people }) => people.map((userId) => ({ userId, token: randomBytes(24).toString('base64url') })));
    await client.query(
      `insert into sessions (id, token, user_id, expires_at)
        select gen_random_uuid(), s.token, s."userId", $2 from jsonb_to_recordset($1) s (token text, "userId" uuid)`,
      [JSON.stringify(sessions), new Date(Date.now() + SESSION_MS)],
    );
    const cookies = new Map(sessions.map(({ userId, token }) => [userId, cookie.buildSetCookie(token).split(';', 1)[0] ?? '']));
    return rows.map((firm) => ({ ...firm, cookies: firm.people.map((userId) => cookies.get(userId) ?? '') }));
  } finally {
    await client.end();
  }
}
