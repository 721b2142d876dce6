import pg from 'pg';
import { vi } from 'vitest';
import type { DatabaseConnection } from '../src/platform/db/pools.ts';

export const TEMPLATE_DATABASE = 'callout_template';

export const DATABASE_SECRET = 'the secret of the test databases';

/** Creates a database. The name isn't quoted in the SQL, so it must be a plain identifier. */
export async function createDatabase(connection: DatabaseConnection, name: string, template = 'template1'): Promise<DatabaseConnection> {
  await withOwnerClient(connection, (client) => client.query(`create database ${name} template ${template} strategy file_copy`));
  return { ...connection, database: name };
}

export async function dropDatabase(connection: DatabaseConnection, name: string): Promise<void> {
  await withOwnerClient(connection, (client) => client.query(`drop database if exists ${name} with (force)`));
}

export async function withOwnerClient<Result>(
  connection: DatabaseConnection,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Waits until `statements` statements are blocked by a lock. Uses a new connection, since a transaction's view of activity is frozen. */
export async function waitUntilBlocked(connection: DatabaseConnection, statements = 1): Promise<void> {
  const blocked = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  await withOwnerClient(connection, (client) =>
    vi.waitUntil(async () => ((await client.query(blocked)).rowCount ?? 0) >= statements, { timeout: 10_000, interval: 5 }),
  );
}

/** Waits until a statement is blocked by a lock that `session` holds. */
export async function waitUntilBlockedBy(connection: DatabaseConnection, session: pg.Client): Promise<void> {
  const blocked = 'select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))';
  const { rows } = await session.query<{ pid: number }>('select pg_backend_pid() as pid');
  await withOwnerClient(connection, (client) =>
    vi.waitUntil(async () => ((await client.query(blocked, [rows[0]?.pid])).rowCount ?? 0) > 0, { timeout: 10_000, interval: 5 }),
  );
}

/** Counts deadlocks since the database was created. First waits for all sessions to end, because only then do they report deadlocks. */
export async function countDeadlocks(connection: DatabaseConnection, name: string): Promise<number> {
  const sessions = 'select from pg_stat_activity where datname = $1';
  const deadlocks = 'select deadlocks::integer as count from pg_stat_database where datname = $1';
  return withOwnerClient(connection, async (client) => {
    await vi.waitUntil(async () => (await client.query(sessions, [name])).rowCount === 0, { timeout: 10_000, interval: 5 });
    return (await client.query<{ count: number }>(deadlocks, [name])).rows[0]?.count ?? 0;
  });
}
