import pg from 'pg';
import { SET_COMPANY } from './company-query.ts';
import { READ_ONLY } from './database-errors.ts';
import { WaitingPool } from './waiting-pool.ts';

/** How to connect to a database, through the embedded server's socket or DATABASE_URL. */
export interface DatabaseConnection {
  readonly connectionString?: string;
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  readonly ssl?: boolean | object;
}

/**
 * The application's database roles. None of them owns an application table, so row-level security applies to all of them. All Callouts on a
 * PostgreSQL server share them, but each has its own logins, which work as one of these roles.
 */
export const DATABASE_ROLES = ['callout_app', 'callout_system', 'callout_queue'] as const;
export type DatabaseRole = (typeof DATABASE_ROLES)[number];

export type DatabaseLogins = Readonly<Record<DatabaseRole, DatabaseLogin>>;

export interface DatabaseLogin extends DatabaseConnection {
  /** Where calls connect with this login instead, such as PgBouncer. */
  readonly pooler?: DatabaseConnection | undefined;
  /** The role and its settings, if the connection has to choose them because the configured user logs in. */
  readonly settings?: SessionSettings;
}

export type SessionSettings = Readonly<Record<string, string | number>>;

/** The connection pools available to API handlers. */
export interface Pools {
  /** Connects as callout_app, which row-level security limits to one company at a time. Only the tenant scope uses this pool. */
  readonly app: pg.Pool;
  /** Connects as callout_system, for sign-in, public links and administration. */
  readonly system: pg.Pool;
  /** One connection that is never busy with calls, to find out whether the database answers. */
  readonly probe: pg.Pool;
}

export interface AllPools extends Pools {
  /** Connects as callout_system, for slow work such as sending email. Calls use other pools, so they never wait for slow work. */
  readonly work: pg.Pool;
  /** Connects as callout_queue, which owns the queue and nothing else. */
  readonly queue: pg.Pool;
  end(): Promise<void>;
}

const STATEMENT_TIMEOUT_MS = 15_000;
/** A command is tried twice, so whoever waits for a lock gets a response after twice this time, or at the call's deadline. */
const LOCK_TIMEOUT_MS = 4_000;
/** Long enough for a replica to become the primary, and well below the deadline of a call. */
const MAX_OUTAGE_MS = 10_000;
/** Limits both the time to connect and the time a caller waits for a free connection. */
const CONNECT_TIMEOUT_MS = 5_000;

const CALL_SETTINGS = {
  timezone: 'UTC',
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
  lock_timeout: LOCK_TIMEOUT_MS,
  // Calls read few rows, but the planner often expects many. Starting parallel workers or compiling then takes longer than the statement.
  max_parallel_workers_per_gather: 0,
  jit: 'off',
};

/** Stored with each login as the defaults of its connections, because poolers such as PgBouncer don't pass on settings of a connection. */
export const ROLE_SETTINGS: Readonly<Record<DatabaseRole, SessionSettings>> = {
  callout_app: CALL_SETTINGS,
  callout_system: CALL_SETTINGS,
  callout_queue: { timezone: 'UTC' },
};

/** An email is sent inside a transaction. If a timeout aborted the transaction, the email would be sent again. */
const WORK_SETTINGS = { statement_timeout: 0, idle_in_transaction_session_timeout: 0, lock_timeout: 0 };

export const WORK_POOL_NAME = 'callout_work';
/** Number of queue workers. Each may hold a lock on one connection while it works on another. */
export const WORKER_COUNT = 2;
/** Number of workers that only send email, so that slow mail servers delay no other work. Each holds a connection while it sends. */
export const MAIL_WORKER_COUNT = 3;
/** Number of workers that only wait for the file store. Each may hold a lock on one connection while it works on another. */
export const FILE_WORKER_COUNT = 1;
/** All three groups of workers hold a listening and a locking connection, and share the others to take and finish their jobs. */
const QUEUE_CONNECTIONS = 8;

interface PoolsOptions {
  readonly usesNamedStatements?: boolean | undefined;
  /** How long a call waits for a database that refuses connections. Tests shorten it. */
  readonly maxOutageMs?: number | undefined;
}

export function createPools(
  logins: DatabaseLogins,
  size: number,
  onError: (error: Error) => void,
  { usesNamedStatements = true, maxOutageMs = MAX_OUTAGE_MS }: PoolsOptions = {},
): AllPools {
  const prepare = usesNamedStatements ? prepareSetCompany : undefined;
  const app = createPool(logins, 'callout_app', { max: size, isPooled: true, prepare, maxOutageMs }, onError);
  const system = createPool(logins, 'callout_system', { max: Math.max(2, Math.ceil(size / 2)), isPooled: true, maxOutageMs }, onError);
  const probe = createPool(logins, 'callout_app', { max: 1, name: 'callout_probe', isPooled: true }, onError);
  if (!usesNamedStatements) for (const pool of [app, system, probe]) pool.on('connect', removeStatementNames);
  const maxWork = 2 * (WORKER_COUNT + FILE_WORKER_COUNT) + MAIL_WORKER_COUNT;
  const work = createPool(logins, 'callout_system', { max: maxWork, name: WORK_POOL_NAME, settings: WORK_SETTINGS }, onError);
  const queue = createPool(logins, 'callout_queue', { max: QUEUE_CONNECTIONS }, onError);
  return {
    app,
    system,
    probe,
    work,
    queue,
    async end() {
      await Promise.all([app.end(), system.end(), probe.end(), work.end(), queue.end()]);
    },
  };
}

interface PoolOptions {
  readonly max: number;
  /** True if the connections keep nothing between transactions, so that a pooler may share them. */
  readonly isPooled?: boolean;
  /** Callers don't wait unless this is set, because the queue tries again later anyway. */
  readonly maxOutageMs?: number;
  /** Runs once on each new connection. */
  readonly prepare?: ((client: pg.ClientBase) => Promise<unknown>) | undefined;
  /** Settings that differ from those of the login. */
  readonly settings?: SessionSettings;
  /** The application name of the pool's connections; defaults to the role. */
  readonly name?: string;
}

function createPool(logins: DatabaseLogins, role: DatabaseRole, options: PoolOptions, onError: (error: Error) => void): pg.Pool {
  const { maxOutageMs } = options;
  const config: pg.PoolConfig = {
    ...buildClientConfig(logins[role], { application_name: options.name ?? role, settings: options.settings, isPooled: options.isPooled }),
    max: options.max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // The pools are small, so keeping connections open is cheaper than starting an idle timer after each use.
    idleTimeoutMillis: 0,
    verify: (client, done) =>
      void requireRole(client, role)
        .then(() => options.prepare?.(client))
        .then(() => done(), done),
    keepAlive: true,
  };
  const pool = maxOutageMs === undefined ? new pg.Pool(config) : new WaitingPool({ ...config, maxOutageMs });
  // Without listeners, a lost connection would crash the process.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}

export interface ClientSettings {
  readonly application_name: string;
  readonly settings?: SessionSettings | undefined;
  readonly isPooled?: boolean | undefined;
}

/** Builds the settings for a pool or a single connection that runs as the login's role. */
export function buildClientConfig(
  { settings: loginSettings, pooler, ...connection }: DatabaseLogin,
  { application_name, settings, isPooled = false }: ClientSettings,
): pg.ClientConfig {
  const options = Object.entries({ ...loginSettings, ...settings }).map(([setting, value]) => `-c ${setting}=${value}`);
  return {
    ...connection,
    ...(isPooled && pooler),
    application_name,
    // PgBouncer refuses connections with options, even empty ones.
    ...(options.length > 0 && { options: options.join(' ') }),
  };
}

const prepareSetCompany = (client: pg.ClientBase) => client.query({ ...SET_COMPANY, values: [''] });

/** Makes PostgreSQL parse and plan each statement on every execution, because a pooler may run it on another connection the next time. */
function removeStatementNames(client: pg.PoolClient): void {
  client.query = new Proxy(client.query, {
    apply(query, self, [statement, ...rest]: [{ name?: string | undefined } | string, ...unknown[]]) {
      const isQuery = typeof statement === 'object' && 'submit' in statement;
      const unnamed =
        typeof statement === 'string' ? statement : isQuery ? Object.assign(statement, { name: '' }) : { ...statement, name: undefined };
      return Reflect.apply(query, self, [unnamed, ...rest]) as unknown;
    },
  });
}

/** Throws if the connection runs as another role, which might bypass row-level security, or leads to a replica, which stores nothing. */
async function requireRole(client: pg.ClientBase, role: DatabaseRole): Promise<void> {
  const { rows } = await client.query<{ role: string; superuser: string; is_replica: boolean }>(
    `select current_user as role, current_setting('is_superuser') as superuser, pg_is_in_recovery() as is_replica`,
  );
  const [found] = rows;
  if (found?.role !== role || found.superuser !== 'off') {
    throw new Error(`Refused a connection for ${role} that runs as ${found?.role ?? 'an unknown role'}`);
  }
  if (found.is_replica) throw Object.assign(new Error('Refused a connection to a replica'), { code: READ_ONLY });
}
