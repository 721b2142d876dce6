import pg from 'pg';

/** Without `connectionString`, the socket of the embedded server. */
export interface DatabaseAddress {
  readonly connectionString?: string;
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
}

export interface Pools {
  /** As callout_app: one company at a time, by row-level security. Only the tenant scope takes connections from it. */
  readonly app: pg.Pool;
  /** As callout_system: sign-in, queue and administration. */
  readonly system: pg.Pool;
  /** As the owner of the tables: only for the queue's own bookkeeping. */
  readonly queue: pg.Pool;
  end(): Promise<void>;
}

const STATEMENT_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 5_000;
const QUEUE_CONNECTIONS = 3;

export function createPools(address: DatabaseAddress, size: number, onError: (error: Error) => void): Pools {
  const app = pool(address, size, 'callout_app', onError);
  const system = pool(address, Math.max(2, Math.ceil(size / 2)), 'callout_system', onError);
  const queue = pool(address, QUEUE_CONNECTIONS, undefined, onError);
  return {
    app,
    system,
    queue,
    async end() {
      await Promise.all([app.end(), system.end(), queue.end()]);
    },
  };
}

function pool(address: DatabaseAddress, max: number, role: string | undefined, onError: (error: Error) => void): pg.Pool {
  const settings = {
    timezone: 'UTC',
    ...(role && { role, statement_timeout: STATEMENT_TIMEOUT_MS, idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS }),
  };
  const created = new pg.Pool({
    ...address,
    max,
    application_name: role ?? 'callout_queue',
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  // An idle or busy connection that dies would otherwise take the process with it.
  created.on('error', onError);
  created.on('connect', (client) => client.on('error', onError));
  return created;
}
