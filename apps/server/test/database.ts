import pg from 'pg';
import { vi } from 'vitest';
import type { DatabaseConnection } from '../src/platform/db/pools.ts';

export const TEMPLATE = 'callout_template';

/** Roles belong to the whole cluster, so all databases of a run share the passwords of the application's logins. */
export const DATABASE_SECRET = 'the secret of the test databases';

/** Names are made by the tests themselves, hence no quoting. */
export async function createDatabase(connection: DatabaseConnection, name: string, template = 'template1'): Promise<DatabaseConnection> {
  await withOwner(connection, (client) => client.query(`create database ${name} template ${template} strategy file_copy`));
  return { ...connection, database: name };
}

export async function dropDatabase(connection: DatabaseConnection, name: string): Promise<void> {
  await withOwner(connection, (client) => client.query(`drop database if exists ${name} with (force)`));
}

export async function withOwner<Result>(connection: DatabaseConnection, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Waits until at least this many statements of the database wait for a lock. On its own connection: a transaction sees one snapshot of the activity. */
export async function waitUntilBlocked(connection: DatabaseConnection, statements = 1): Promise<void> {
  const blocked = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  await withOwner(connection, (client) =>
    vi.waitUntil(async () => ((await client.query(blocked)).rowCount ?? 0) >= statements, { timeout: 10_000, interval: 5 }),
  );
}

/** Waits until a statement waits for a lock of this session. */
export async function waitUntilBlockedBy(connection: DatabaseConnection, session: pg.Client): Promise<void> {
  const blocked = 'select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))';
  const { rows } = await session.query<{ pid: number }>('select pg_backend_pid() as pid');
  await withOwner(connection, (client) =>
    vi.waitUntil(async () => ((await client.query(blocked, [rows[0]?.pid])).rowCount ?? 0) > 0, { timeout: 10_000, interval: 5 }),
  );
}

/** The deadlocks since the database was created. Sessions report them when they end, so this waits for all to end. */
export async function countDeadlocks(connection: DatabaseConnection, name: string): Promise<number> {
  const sessions = 'select from pg_stat_activity where datname = $1';
  const deadlocks = 'select deadlocks::integer as count from pg_stat_database where datname = $1';
  return withOwner(connection, async (client) => {
    await vi.waitUntil(async () => (await client.query(sessions, [name])).rowCount === 0, { timeout: 10_000, interval: 5 });
    return (await client.query<{ count: number }>(deadlocks, [name])).rows[0]?.count ?? 0;
  });
}
