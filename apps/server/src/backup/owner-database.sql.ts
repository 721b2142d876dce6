import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findRunningPostgres, startEmbeddedPostgres } from '@callout/embedded-postgres/embedded-postgres';
import pg from 'pg';
import { EMBEDDED_DATABASE } from '../config.ts';
import { describeConnectionFailure } from '../platform/db/connection-failure.ts';
import type { DatabaseConnection } from '../platform/db/pools.ts';

/** A dedicated connection as table owner, for commands that run beside the server or instead of it. */
export interface OwnerDatabase {
  readonly client: pg.Client;
  readonly connection: DatabaseConnection;
  /** Also stops the embedded server if this command started it. */
  close(): Promise<void>;
}

export class NoDatabase extends Error {
  override readonly name = 'NoDatabase';
}

export interface OwnerDatabaseOptions {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** Creates the embedded database if there is none. */
  readonly create: boolean;
}

export async function openOwnerDatabase(options: OwnerDatabaseOptions): Promise<OwnerDatabase> {
  const { connection, stop } = await reachServer(options);
  const client = new pg.Client({ ...connection, application_name: 'callout backup', keepAlive: true });
  // A lost connection also fails the pending statement, which reports it.
  client.on('error', () => undefined);
  const close = async () => {
    await client.end().catch(() => undefined);
    await stop();
  };
  try {
    await client.connect();
    return { client, connection, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function reachServer({
  dataDir,
  databaseUrl,
  create,
}: OwnerDatabaseOptions): Promise<{ connection: DatabaseConnection; stop(): Promise<void> }> {
  if (databaseUrl !== undefined) {
    const connection = { connectionString: databaseUrl };
    const unreachable = await describeConnectionFailure(connection);
    if (unreachable) throw new NoDatabase(`DATABASE_URL cannot be reached: ${unreachable}`);
    return { connection, stop: async () => undefined };
  }
  const running = await findRunningPostgres({ ...EMBEDDED_DATABASE, dataDir });
  if (running) return { connection: running, stop: async () => undefined };
  if (!create && !existsSync(join(dataDir, 'postgres', 'PG_VERSION')))
    throw new NoDatabase(`DATA_DIR ${dataDir} holds no data of Callout.`);
  const embedded = await startEmbeddedPostgres({ ...EMBEDDED_DATABASE, dataDir, log: () => undefined });
  return { connection: embedded.connection, stop: embedded.stop };
}
