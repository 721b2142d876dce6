import { createHmac } from 'node:crypto';
import pg from 'pg';
import { DATABASE_ROLES, type DatabaseConnection, type DatabaseLogin, type DatabaseLogins, type DatabaseRole } from './pools.ts';

/** The database cannot be used as configured; the message is one sentence for the server's operator. */
export class DatabaseSetupError extends Error {
  override readonly name = 'DatabaseSetupError';
}

export interface PreparedLogins {
  readonly logins: DatabaseLogins;
  /** One sentence for the log when this server allows less than we would like. */
  readonly weakness: string | null;
}

const INSUFFICIENT_PRIVILEGE = '42501';
const INVALID_PASSWORD = '28P01';
const INVALID_AUTHORIZATION = '28000';

/**
 * Lets the application's roles log in, each with a password derived from the secret in the data folder. After this the
 * application no longer needs the table owner.
 */
export async function prepareLogins(owner: pg.Client, connection: DatabaseConnection, secret: string): Promise<PreparedLogins> {
  await resetRoleSettings(owner);
  await revokeUnusedRights(owner);
  const logins = deriveLogins(connection, secret);
  if (await canLogIn(logins)) return { logins, weakness: null };
  await refuseForeignUse(owner);
  try {
    for (const role of DATABASE_ROLES) await owner.query(allowLogin(owner, role, passwordOf(role, secret)));
  } catch (error) {
    if (!isPrivilegeMissing(error)) throw error;
    return { logins: switchingLogins(connection), weakness: weaknessOf(owner) };
  }
  if (await canLogIn(logins)) return { logins, weakness: null };
  return { logins: switchingLogins(connection), weakness: weaknessOf(owner) };
}

/** A role may change its own defaults, such as its time limits, and they would outlive a restart. */
async function resetRoleSettings(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ rolname: DatabaseRole }>(
    'select rolname from pg_roles where rolname = any ($1) and rolconfig is not null',
    [DATABASE_ROLES],
  );
  for (const { rolname } of rows) await owner.query(`alter role ${rolname} reset all`);
}

/** Revokes default rights that we never use and that would allow unlimited disk use. */
async function revokeUnusedRights(owner: pg.Client): Promise<void> {
  for (const statement of [
    `do $$ begin execute format('revoke temporary on database %I from public', current_database()); end $$`,
    'revoke execute on function pg_catalog.lo_creat(integer), pg_catalog.lo_create(oid), pg_catalog.lo_from_bytea(oid, bytea) from public',
  ]) {
    await owner.query(statement).catch((error: unknown) => {
      // On a managed server the table owner is not a superuser.
      if (!isPrivilegeMissing(error)) throw error;
    });
  }
}

/** How the roles reach the database once `prepareLogins` has run with the same secret. */
export function deriveLogins(connection: DatabaseConnection, secret: string): DatabaseLogins {
  const { host, port, database, ssl } = new pg.Client(connection);
  const server: DatabaseConnection = { host, port, ...(database !== undefined && { database }), ...(ssl && { ssl }) };
  return forEachRole((role) => ({ ...server, user: role, password: passwordOf(role, secret) }));
}

/** Logs in as the owner and switches to the role: weaker, since the session can switch back. */
function switchingLogins(connection: DatabaseConnection): DatabaseLogins {
  return forEachRole((role) => ({ ...connection, switchTo: role }));
}

function forEachRole(loginOf: (role: DatabaseRole) => DatabaseLogin): DatabaseLogins {
  return { callout_app: loginOf('callout_app'), callout_system: loginOf('callout_system'), callout_queue: loginOf('callout_queue') };
}

const passwordOf = (role: DatabaseRole, secret: string) =>
  createHmac('sha256', secret).update(`database login ${role}`).digest('base64url');

/** A role's attributes cannot be parameters of a statement. */
function allowLogin(client: pg.Client, role: DatabaseRole, password: string): string {
  return `alter role ${role} with login password ${client.escapeLiteral(password)}`;
}

/** False when a password is rejected; any other failure throws. */
async function canLogIn(logins: DatabaseLogins): Promise<boolean> {
  for (const role of DATABASE_ROLES) {
    const client = new pg.Client({ ...logins[role], application_name: 'callout_login_check' });
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch (error) {
      if ([INVALID_PASSWORD, INVALID_AUTHORIZATION].includes(codeOf(error))) return false;
      throw error;
    } finally {
      await client.end();
    }
  }
  return true;
}

/** Roles are shared by the whole PostgreSQL server, so setting their passwords would lock out another Callout that uses a different secret. */
async function refuseForeignUse(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ datname: string }>('select datname from pg_stat_activity where usename = any ($1) limit 1', [
    DATABASE_ROLES,
  ]);
  const [other] = rows;
  if (!other) return;
  throw new DatabaseSetupError(
    `Another Callout works in the database ${other.datname} of this server with another SESSION_SECRET: give both the same one, or each a server of its own`,
  );
}

const weaknessOf = (owner: pg.Client) =>
  `This server lets ${owner.user ?? 'our user'} create no logins: our connections log in as that user and only switch to a weaker role, which injected SQL could undo`;

export function isPrivilegeMissing(error: unknown): error is Error {
  return codeOf(error) === INSUFFICIENT_PRIVILEGE;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
