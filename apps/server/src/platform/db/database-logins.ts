import { createHash, createHmac } from 'node:crypto';
import pg from 'pg';
import type { Secrets } from '../../config.ts';
import {
  DATABASE_ROLES,
  type DatabaseConnection,
  type DatabaseLogin,
  type DatabaseLogins,
  type DatabaseRole,
  ROLE_SETTINGS,
} from './pools.ts';

/** Thrown if the database can't be used as configured. The message is one sentence for the server's operator. */
export class DatabaseSetupError extends Error {
  override readonly name = 'DatabaseSetupError';
}

export interface FoundLogins {
  readonly logins: DatabaseLogins;
  /** A sentence to log if PostgreSQL allows only a weaker setup, otherwise null. */
  readonly warning: string | null;
}

/** How to reach the database: as its owner, and through a pooler for calls. */
export interface DatabaseEndpoints {
  readonly owner: DatabaseConnection;
  readonly pooler?: DatabaseConnection | undefined;
}

const INSUFFICIENT_PRIVILEGE = '42501';
const INVALID_PASSWORD = '28P01';
const INVALID_AUTHORIZATION = '28000';

/**
 * Creates a login per role and secret, and drops those of secrets that are no longer listed, once nobody uses them. Callouts on the same
 * PostgreSQL server get different logins, and none may connect to the database of another. Returns a sentence to log, or null.
 */
export async function prepareLogins(owner: pg.Client, endpoints: DatabaseEndpoints, secrets: Secrets): Promise<string | null> {
  await revokeUnusedPrivileges(owner);
  // Callout then works as the database user; see `findLogins`.
  if (!(await canCreateLogins(owner))) return null;
  for (const secret of secrets) {
    await createLogins(owner, secret);
    await resetChangedPasswords(owner, deriveLogins(endpoints, secret));
  }
  await retireSharedLogins(owner);
  return (await dropUnlistedLogins(owner, secrets)) ?? (await admitOnlyOwnLogins(owner));
}

/** Finds logins that `prepareLogins` has created, those of the first secret if possible. Changes nothing. */
export async function findLogins(owner: pg.Client, endpoints: DatabaseEndpoints, secrets: Secrets): Promise<FoundLogins> {
  for (const secret of secrets) {
    const logins = deriveLogins(endpoints, secret);
    if (await canLogIn(Object.values(logins))) return { logins, warning: null };
  }
  if ((await canCreateLogins(owner)) && !(await hasLogins(owner, secrets[0])))
    throw new DatabaseSetupError(
      'The database has no logins for this DATABASE_SECRET. Run "npm run migrate" with the same settings, then start again.',
    );
  if (endpoints.pooler)
    throw new DatabaseSetupError(
      `DATABASE_POOL_URL needs logins, which the database user ${owner.user} cannot create or PostgreSQL rejects.`,
    );
  return { logins: createRoleSwitchingLogins(endpoints.owner), warning: buildRoleSwitchWarning(owner) };
}

/** Revokes default privileges that the application never uses and that would allow unlimited disk use. */
async function revokeUnusedPrivileges(owner: pg.Client): Promise<void> {
  for (const statement of [
    `revoke temporary on database ${escapeDatabase(owner)} from public`,
    'revoke execute on function pg_catalog.lo_creat(integer), pg_catalog.lo_create(oid), pg_catalog.lo_from_bytea(oid, bytea) from public',
  ]) {
    await owner.query(statement).catch((error: unknown) => {
      // On a managed PostgreSQL server, the table owner is not a superuser and can't revoke these privileges, so ignore the error.
      if (!isMissingPrivilegeError(error)) throw error;
    });
  }
}

/** Since PostgreSQL 16, adding members to a role takes the admin option for that role. */
async function canCreateLogins(owner: pg.Client): Promise<boolean> {
  const { rows } = await owner.query<{ allowed: boolean }>(
    `select rolsuper or (rolcreaterole and (current_setting('server_version_num')::integer < 160000 or (
        select bool_and(pg_has_role(role, 'member with admin option')) from unnest($1::text[]) role))) as allowed
      from pg_roles where rolname = current_user`,
    [DATABASE_ROLES],
  );
  return rows[0]?.allowed === true;
}

/** Creates the secret's logins unless they exist, and gives them their settings, which a login could have changed for itself. */
export async function createLogins(owner: pg.Client, secret: string): Promise<void> {
  const names = deriveNames(owner.database ?? '', secret);
  const { rows } = await owner.query<{ rolname: string }>('select rolname from pg_roles where rolname = any ($1)', [Object.values(names)]);
  const existing = new Set(rows.map(({ rolname }) => rolname));
  const statements = DATABASE_ROLES.flatMap((role) => {
    const name = names[role];
    const password = pg.escapeLiteral(derivePassword(name, secret));
    return [
      // Without INHERIT, the login has none of the role's rights until its session has become that role. Otherwise, a right to connect that
      // the role has in another Callout's database would be the login's, too.
      ...(existing.has(name) ? [] : [`create role ${name} login noinherit password ${password} in role ${role}`]),
      `alter role ${name} reset all`,
      ...Object.entries({ role, ...ROLE_SETTINGS[role] }).map(([setting, value]) => `alter role ${name} set ${setting} = '${value}'`),
      `grant connect on database ${escapeDatabase(owner)} to ${name}`,
    ];
  });
  // A single round trip is also a single transaction, so no connection sees a login without its settings.
  await owner.query(statements.join('; '));
}

/** A login can change its own password. The next setup undoes that. */
async function resetChangedPasswords(owner: pg.Client, logins: DatabaseLogins): Promise<void> {
  for (const login of Object.values(logins)) {
    if (!(await canLogIn([login])))
      await owner.query(`alter role ${login.user} with login password ${pg.escapeLiteral(login.password ?? '')}`);
  }
}

/** Earlier versions logged in as the roles themselves, which all databases of a server share. */
async function retireSharedLogins(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ rolname: string }>(
    `select rolname from pg_roles where rolname = any ($1) and rolcanlogin
      and not exists (select from pg_stat_activity where usename = rolname)`,
    [DATABASE_ROLES],
  );
  for (const { rolname } of rows) await owner.query(`alter role ${rolname} with nologin password null`);
}

/**
 * Keeps all logins of a secret while one of them is in use, for example while servers restart one after the other. Their names end with the
 * same 17 characters. Returns a sentence if any were kept.
 */
async function dropUnlistedLogins(owner: pg.Client, secrets: Secrets): Promise<string | null> {
  const listed = secrets.flatMap((secret) => Object.values(deriveNames(owner.database ?? '', secret)));
  const { rows } = await owner.query<{ rolname: string; unused: boolean }>(
    `select rolname, not exists (select from pg_stat_activity where right(usename, 17) = right(rolname, 17)) as unused
      from pg_roles where rolname ~ $1 and rolname <> all ($2)`,
    [`^(${DATABASE_ROLES.join('|')})_${hashDatabase(owner.database ?? '')}_[0-9a-f]{8}$`, listed],
  );
  for (const { rolname, unused } of rows)
    if (unused) await owner.query(`revoke connect on database ${escapeDatabase(owner)} from ${rolname}; drop role ${rolname}`);
  if (rows.every(({ unused }) => unused)) return null;
  return 'A Callout that is still running uses an earlier DATABASE_SECRET. Run npm run migrate again once it has stopped, to remove its logins.';
}

/** Returns a sentence if logins of other Callouts on the server can connect to this database as well. */
async function admitOnlyOwnLogins(owner: pg.Client): Promise<string | null> {
  const database = escapeDatabase(owner);
  // The previous version's server connects as the roles. Today's logins don't inherit the right from them.
  await owner.query(
    `grant connect on database ${database} to ${DATABASE_ROLES.join(', ')}; revoke connect on database ${database} from public`,
  );
  const { rows } = await owner.query<{ open: boolean }>(`select has_database_privilege('public', current_database(), 'connect') as open`);
  if (rows[0]?.open !== true) return null;
  return `The database user ${owner.user} does not own the database ${owner.database}, so the logins of another Callout on this server could connect to it.`;
}

async function hasLogins(owner: pg.Client, secret: string): Promise<boolean> {
  const names = Object.values(deriveNames(owner.database ?? '', secret));
  const { rowCount } = await owner.query('select from pg_roles where rolname = any ($1)', [names]);
  return rowCount === names.length;
}

/** Derives the logins that work once `prepareLogins` has run with the same secret. */
export function deriveLogins({ owner, pooler }: DatabaseEndpoints, secret: string): DatabaseLogins {
  const server = parseServer(owner);
  const names = deriveNames(server.database ?? '', secret);
  return createLoginPerRole((role) => ({
    ...server,
    user: names[role],
    password: derivePassword(names[role], secret),
    ...(pooler && { pooler: parseServer(pooler) }),
  }));
}

/** Returns the connection without its user. */
function parseServer(connection: DatabaseConnection): DatabaseConnection {
  const { host, port, database, ssl } = new pg.Client(connection);
  return { host, port, ...(database !== undefined && { database }), ...(ssl && { ssl }) };
}

/** Creates logins that connect as the owner and then switch to a role. They are weaker, because a session can switch back. */
function createRoleSwitchingLogins(connection: DatabaseConnection): DatabaseLogins {
  return createLoginPerRole((role) => ({ ...connection, settings: { role, ...ROLE_SETTINGS[role] } }));
}

function createLoginPerRole<Login>(toLogin: (role: DatabaseRole) => Login): Readonly<Record<DatabaseRole, Login>> {
  return {
    callout_app: toLogin('callout_app'),
    callout_system: toLogin('callout_system'),
    callout_queue: toLogin('callout_queue'),
  };
}

const hashDatabase = (database: string) => createHash('sha256').update(database).digest('hex').slice(0, 8);

/** Builds each role's login name from the database and the secret, because all databases of a server share their logins. */
function deriveNames(database: string, secret: string): Readonly<Record<DatabaseRole, string>> {
  const hash = createHmac('sha256', secret).update(`database login name ${database}`).digest('hex').slice(0, 8);
  return createLoginPerRole((role) => `${role}_${hashDatabase(database)}_${hash}`);
}

const derivePassword = (name: string, secret: string) => createHmac('sha256', secret).update(`database login ${name}`).digest('base64url');

const escapeDatabase = ({ database = '' }: pg.Client) => pg.escapeIdentifier(database);

/** Returns false if a login is rejected. Throws on any other failure. */
async function canLogIn(logins: readonly DatabaseLogin[]): Promise<boolean> {
  for (const { pooler: _, ...login } of logins) {
    const client = new pg.Client({ ...login, application_name: 'callout_login_check' });
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch (error) {
      if ([INVALID_PASSWORD, INVALID_AUTHORIZATION].includes(getErrorCode(error))) return false;
      throw error;
    } finally {
      await client.end();
    }
  }
  return true;
}

const buildRoleSwitchWarning = (owner: pg.Client) =>
  `The database user ${owner.user ?? 'in use'} cannot create logins. Callout connects as that user and switches to a weaker role, which injected SQL could undo.`;

export function isMissingPrivilegeError(error: unknown): error is Error {
  return getErrorCode(error) === INSUFFICIENT_PRIVILEGE;
}

function getErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
