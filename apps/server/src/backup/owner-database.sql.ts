import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findRunningPostgres, startEmbeddedPostgres } from '@callout/embedded-postgres/embedded-postgres';
import pg from 'pg';
import { EMBEDDED_DATABASE } from '../config.ts';
import { describeConnectionFailure } from '../platform/db/connection-failure.ts';
import type { DatabaseConnection } from '../platform/db/pools.ts';

/** A dedicated connection as the table owner, for commands that work whether or not the server is running. */
export interface OwnerDatabase {
  readonly client: pg.Client;
  readonly connection: DatabaseConnection;
  /** Closes the connection, and stops the embedded database if this command started it. */
  close(): Promise<void>;
}

export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
}

export interface OwnerDatabaseOptions {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** Whether to create the embedded database if there is none. */
  readonly createIfMissing: boolean;
}

export async function openOwnerDatabase(options: OwnerDatabaseOptions): Promise<OwnerDatabase> {
  const { connection, stop } = await findOrStartDatabase(options);
  const client = new pg.Client({ ...connection, application_name: 'callout backup', keepAlive: true });
  // Without a listener, a lost connection would crash the process. The pending statement fails anyway and reports the error.
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

/** Finds the database through the settings that `npm start` uses. Starts the embedded one if it isn't running. */
export async function findOrStartDatabase({
  dataDir,
  databaseUrl,
  createIfMissing,
}: OwnerDatabaseOptions): Promise<{ connection: DatabaseConnection; stop(): Promise<void> }> {
  if (databaseUrl !== undefined) {
    const connection = { connectionString: databaseUrl };
    const unreachable = await describeConnectionFailure(connection);
    if (unreachable) throw new DatabaseUnavailableError(`DATABASE_URL cannot be reached: ${unreachable}`);
    return { connection, stop: async () => undefined };
  }
  const running = await findRunningPostgres({ ...EMBEDDED_DATABASE, dataDir });
  if (running) return { connection: running, stop: async () => undefined };
  if (!createIfMissing && !existsSync(join(dataDir, 'postgres', 'PG_VERSION')))
    throw new DatabaseUnavailableError(`DATA_DIR ${dataDir} contains no Callout data.`);
  const embedded = await startEmbeddedPostgres({ ...EMBEDDED_DATABASE, dataDir, log: () => undefined });
  return { connection: embedded.connection, stop: embedded.stop };
}
