import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { SUPERUSER } from './embedded/cluster.ts';
import { DATABASE, startEmbeddedPostgres } from './embedded/embedded-postgres.ts';
import { postmasterLives, readPostmasterFile } from './embedded/postmaster-file.ts';
import type { DatabaseAddress } from './pools.ts';
import { whyUnreachable } from './reach-database.ts';

/** A connection of its own as the owner of the tables, for commands that run beside the server or instead of it. */
export interface OwnerDatabase {
  readonly client: pg.Client;
  readonly address: DatabaseAddress;
  /** Stops the embedded server too, if it was started for this. */
  close(): Promise<void>;
}

export class NoDatabase extends Error {
  override readonly name = 'NoDatabase';
}

export interface OwnerDatabaseOptions {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** Makes the embedded database where there is none. */
  readonly create: boolean;
}

export async function openOwnerDatabase(options: OwnerDatabaseOptions): Promise<OwnerDatabase> {
  const { address, stop } = await reachServer(options);
  const client = new pg.Client({ ...address, application_name: 'callout backup', keepAlive: true });
  // A connection that is lost also fails the statement that waits for it, which says so.
  client.on('error', () => undefined);
  const close = async () => {
    await client.end().catch(() => undefined);
    await stop();
  };
  try {
    await client.connect();
    return { client, address, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function reachServer({
  dataDir,
  databaseUrl,
  create,
}: OwnerDatabaseOptions): Promise<{ address: DatabaseAddress; stop(): Promise<void> }> {
  if (databaseUrl !== undefined) {
    const address = { connectionString: databaseUrl };
    const unreachable = await whyUnreachable(address);
    if (unreachable) throw new NoDatabase(`DATABASE_URL cannot be reached: ${unreachable}`);
    return { address, stop: async () => undefined };
  }
  const clusterDir = join(dataDir, 'postgres');
  const running = await readPostmasterFile(clusterDir);
  if (running?.ready && postmasterLives(clusterDir, running)) {
    const address = { host: running.socketDir, port: running.port, user: SUPERUSER, database: DATABASE };
    return { address, stop: async () => undefined };
  }
  if (!create && !existsSync(join(clusterDir, 'PG_VERSION'))) throw new NoDatabase(`DATA_DIR ${dataDir} holds no data of Callout.`);
  const embedded = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  return { address: embedded.connection, stop: embedded.stop };
}
