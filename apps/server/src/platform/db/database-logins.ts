import { createHmac } from 'node:crypto';
import pg from 'pg';
import { DATABASE_ROLES, type DatabaseConnection, type DatabaseLogin, type DatabaseLogins, type DatabaseRole } from './pools.ts';

/** Thrown if the database can't be used as configured. The message is one sentence for the server's operator. */
export class DatabaseSetupError extends Error {
  override readonly name = 'DatabaseSetupError';
}

export interface PreparedLogins {
  readonly logins: DatabaseLogins;
  /** A sentence to log if PostgreSQL allows only a weaker setup, otherwise null. */
  readonly warning: string | null;
}

const INSUFFICIENT_PRIVILEGE = '42501';
const INVALID_PASSWORD = '28P01';
const INVALID_AUTHORIZATION = '28000';

/** Gives each role a password derived from the secret, so that the server no longer needs to connect as the table owner. */
export async function prepareLogins(owner: pg.Client, connection: DatabaseConnection, secret: string): Promise<PreparedLogins> {
  await resetRoleSettings(owner);
  await revokeUnusedPrivileges(owner);
  const logins = deriveLogins(connection, secret);
  if (await canLogIn(logins)) return { logins, warning: null };
  await requireNoOtherInstallation(owner);
  try {
    for (const role of DATABASE_ROLES) await owner.query(buildAllowLoginStatement(owner, role, derivePassword(role, secret)));
  } catch (error) {
    if (!isMissingPrivilegeError(error)) throw error;
    return { logins: createRoleSwitchingLogins(connection), warning: buildRoleSwitchWarning(owner) };
  }
  if (await canLogIn(logins)) return { logins, warning: null };
  return { logins: createRoleSwitchingLogins(connection), warning: buildRoleSwitchWarning(owner) };
}

/** Finds the logins that `prepareLogins` has set up with the same secret. Changes nothing. */
export async function findLogins(owner: pg.Client, connection: DatabaseConnection, secret: string): Promise<PreparedLogins> {
  const logins = deriveLogins(connection, secret);
  if (await canLogIn(logins)) return { logins, warning: null };
  if (!(await canCreateLogins(owner))) return { logins: createRoleSwitchingLogins(connection), warning: buildRoleSwitchWarning(owner) };
  throw new DatabaseSetupError(
    'The database has no logins for this SESSION_SECRET. Run "npm run migrate" with the same settings, then start again.',
  );
}

/** Since version 16, a user who creates roles can change only those it was given. */
async function canCreateLogins(owner: pg.Client): Promise<boolean> {
  const { rows } = await owner.query<{ allowed: boolean }>(
    `select rolsuper or rolcreaterole and (current_setting('server_version_num')::integer < 160000
        or (select bool_and(pg_has_role(current_user, role.oid, 'member with admin option')) from pg_roles role where role.rolname = any ($1)))
      as allowed from pg_roles where rolname = current_user`,
    [DATABASE_ROLES],
  );
  return rows[0]?.allowed === true;
}

/** Resets settings, such as timeouts, that a role can change for itself. Such a change would otherwise survive a restart. */
async function resetRoleSettings(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ rolname: DatabaseRole }>(
    'select rolname from pg_roles where rolname = any ($1) and rolconfig is not null',
    [DATABASE_ROLES],
  );
  for (const { rolname } of rows) await owner.query(`alter role ${rolname} reset all`);
}

/** Revokes default privileges that the application never uses and that would allow unlimited disk use. */
async function revokeUnusedPrivileges(owner: pg.Client): Promise<void> {
  for (const statement of [
    `do $$ begin execute format('revoke temporary on database %I from public', current_database()); end $$`,
    'revoke execute on function pg_catalog.lo_creat(integer), pg_catalog.lo_create(oid), pg_catalog.lo_from_bytea(oid, bytea) from public',
  ]) {
    await owner.query(statement).catch((error: unknown) => {
      // On a managed PostgreSQL server, the table owner is not a superuser and can't revoke these privileges, so ignore the error.
      if (!isMissingPrivilegeError(error)) throw error;
    });
  }
}

/** Derives the logins that work once `prepareLogins` has run with the same secret. */
export function deriveLogins(connection: DatabaseConnection, secret: string): DatabaseLogins {
  const { host, port, database, ssl } = new pg.Client(connection);
  const server: DatabaseConnection = { host, port, ...(database !== undefined && { database }), ...(ssl && { ssl }) };
  return createLoginPerRole((role) => ({ ...server, user: role, password: derivePassword(role, secret) }));
}

/** Creates logins that connect as the owner and then switch to a role. They are weaker, because a session can switch back. */
function createRoleSwitchingLogins(connection: DatabaseConnection): DatabaseLogins {
  return createLoginPerRole((role) => ({ ...connection, switchToRole: role }));
}

function createLoginPerRole(toLogin: (role: DatabaseRole) => DatabaseLogin): DatabaseLogins {
  return {
    callout_app: toLogin('callout_app'),
    callout_system: toLogin('callout_system'),
    callout_queue: toLogin('callout_queue'),
  };
}

const derivePassword = (role: DatabaseRole, secret: string) =>
  createHmac('sha256', secret).update(`database login ${role}`).digest('base64url');

/** Builds an ALTER ROLE statement. ALTER ROLE accepts no parameters, so the escaped password is part of the statement. */
function buildAllowLoginStatement(client: pg.Client, role: DatabaseRole, password: string): string {
  return `alter role ${role} with login password ${client.escapeLiteral(password)}`;
}

/** Returns false if a login's password is rejected. Throws on any other failure. */
async function canLogIn(logins: DatabaseLogins): Promise<boolean> {
  for (const role of DATABASE_ROLES) {
    const client = new pg.Client({ ...logins[role], application_name: 'callout_login_check' });
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

/** Throws if another installation uses a different secret. Databases on one server share roles, so new passwords would lock it out. */
async function requireNoOtherInstallation(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ datname: string }>('select datname from pg_stat_activity where usename = any ($1) limit 1', [
    DATABASE_ROLES,
  ]);
  const [other] = rows;
  if (!other) return;
  throw new DatabaseSetupError(
    `Another Callout installation uses the database ${other.datname} on this server with a different SESSION_SECRET. Give both the same secret, or each its own database server.`,
  );
}

const buildRoleSwitchWarning = (owner: pg.Client) =>
  `The database user ${owner.user ?? 'in use'} cannot create logins. Callout connects as that user and switches to a weaker role, which injected SQL could undo.`;

export function isMissingPrivilegeError(error: unknown): error is Error {
  return getErrorCode(error) === INSUFFICIENT_PRIVILEGE;
}

function getErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
