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
  /** As callout_system, for work that waits on others, such as a mail server: it never keeps a call waiting for a connection. */
  readonly work: pg.Pool;
  /** As the owner of the tables: only for the queue's own bookkeeping. */
  readonly queue: pg.Pool;
  end(): Promise<void>;
}

const STATEMENT_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** One for each worker of the queue. */
export const WORK_CONNECTIONS = 2;
const QUEUE_CONNECTIONS = 3;

export function createPools(address: DatabaseAddress, size: number, onError: (error: Error) => void): Pools {
  const patience = { statement_timeout: STATEMENT_TIMEOUT_MS, idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS };
  const app = pool(address, size, 'callout_app', { role: 'callout_app', ...patience }, onError);
  const system = pool(address, Math.max(2, Math.ceil(size / 2)), 'callout_system', { role: 'callout_system', ...patience }, onError);
  // A mail is held in a transaction while it is sent: ended half-way, it would be sent again.
  const work = pool(address, WORK_CONNECTIONS, 'callout_work', { role: 'callout_system' }, onError);
  const queue = pool(address, QUEUE_CONNECTIONS, 'callout_queue', {}, onError);
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

function pool(
  address: DatabaseAddress,
  max: number,
  name: string,
  settings: Readonly<Record<string, string | number>>,
  onError: (error: Error) => void,
): pg.Pool {
  const created = new pg.Pool({
    ...address,
    max,
    application_name: name,
    options: Object.entries({ timezone: 'UTC', ...settings })
      .map(([setting, value]) => `-c ${setting}=${value}`)
      .join(' '),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // The pools are small: keeping their connections is cheaper than a timer for each use of one.
    idleTimeoutMillis: 0,
  });
  // An idle or busy connection that dies would otherwise take the process with it.
  created.on('error', onError);
  created.on('connect', (client) => client.on('error', onError));
  return created;
}
