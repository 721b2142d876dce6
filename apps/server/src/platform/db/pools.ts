import pg from 'pg';

/** How to connect to a database: the embedded server's socket, or DATABASE_URL. */
export interface DatabaseConnection {
  readonly connectionString?: string;
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  readonly ssl?: boolean | object;
}

/** The application's own logins. None of them owns a table of ours, and row-level security binds them all. */
export const DATABASE_ROLES = ['callout_app', 'callout_system', 'callout_queue'] as const;
export type DatabaseRole = (typeof DATABASE_ROLES)[number];

/** How each role connects to the database. */
export type DatabaseLogins = Readonly<Record<DatabaseRole, DatabaseLogin>>;

export interface DatabaseLogin extends DatabaseConnection {
  /** On a server where we cannot create logins: log in as its user and switch to this role. */
  readonly switchTo?: DatabaseRole;
}

/** The pools available to calls. */
export interface Pools {
  /** As callout_app: one company at a time, by row-level security. Only the tenant scope takes connections from it. */
  readonly app: pg.Pool;
  /** As callout_system: sign-in, public links and administration. */
  readonly system: pg.Pool;
}

export interface AllPools extends Pools {
  /** As callout_system, for work that waits on others, such as a mail server: it never keeps a call waiting for a connection. */
  readonly work: pg.Pool;
  /** As callout_queue, which owns the queue and nothing else. */
  readonly queue: pg.Pool;
  end(): Promise<void>;
}

const STATEMENT_TIMEOUT_MS = 15_000;
/** Also limits the wait for a free connection. */
export const CONNECT_TIMEOUT_MS = 5_000;
/** Queue workers. Each may hold a lock on one connection and work on another. */
export const WORK_CONNECTIONS = 2;
const QUEUE_CONNECTIONS = 4;

export function createPools(logins: DatabaseLogins, size: number, onError: (error: Error) => void): AllPools {
  const timeouts = { statement_timeout: STATEMENT_TIMEOUT_MS, idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS };
  const app = createPool(logins, 'callout_app', { max: size, settings: timeouts }, onError);
  const system = createPool(logins, 'callout_system', { max: Math.max(2, Math.ceil(size / 2)), settings: timeouts }, onError);
  // No timeouts: a mail is sent inside a transaction and would be sent again if that were aborted.
  const work = createPool(logins, 'callout_system', { max: 2 * WORK_CONNECTIONS, name: 'callout_work' }, onError);
  const queue = createPool(logins, 'callout_queue', { max: QUEUE_CONNECTIONS }, onError);
  return {
    app,
    system,
    work,
    queue,
    async end() {
      await Promise.all([app.end(), system.end(), work.end(), queue.end()]);
    },
  };
}

interface PoolOptions {
  readonly max: number;
  readonly settings?: Readonly<Record<string, string | number>>;
  /** The application name of its connections; defaults to the role. */
  readonly name?: string;
}

function createPool(logins: DatabaseLogins, role: DatabaseRole, options: PoolOptions, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    ...clientConfig(logins[role], { application_name: options.name ?? role, settings: options.settings }),
    max: options.max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // The pools are small: keeping connections open is cheaper than an idle timer per use.
    idleTimeoutMillis: 0,
    verify: (client, done) => void assertRole(client, role).then(() => done(), done),
  });
  // An idle or busy connection that dies would otherwise take the process with it.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}

export interface ClientSettings {
  readonly application_name: string;
  readonly settings?: Readonly<Record<string, string | number>> | undefined;
}

/** For a pool or a single connection of one of our roles. */
export function clientConfig(
  { switchTo, ...connection }: DatabaseLogin,
  { application_name, settings = {} }: ClientSettings,
): pg.ClientConfig {
  const all = { timezone: 'UTC', ...settings, ...(switchTo && { role: switchTo }) };
  return {
    ...connection,
    application_name,
    options: Object.entries(all)
      .map(([setting, value]) => `-c ${setting}=${value}`)
      .join(' '),
  };
}

/** A connection with another role might bypass row-level security. */
async function assertRole(client: pg.ClientBase, role: DatabaseRole): Promise<void> {
  const { rows } = await client.query<{ role: string; superuser: string }>(
    `select current_user as role, current_setting('is_superuser') as superuser`,
  );
  const [found] = rows;
  if (found?.role !== role || found.superuser !== 'off') {
    throw new Error(`A connection for ${role} runs as ${found?.role ?? 'nobody'}: refused`);
  }
}
