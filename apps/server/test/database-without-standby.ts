import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@callout/embedded-postgres/embedded-postgres';
import { EMBEDDED_DATABASE } from '../src/config.ts';
import { prepareDatabase } from '../src/platform/db/migrate.ts';
import type { DatabaseConnection } from '../src/platform/db/pools.ts';
import { cleanUpAfterTests } from './clean-up.ts';
import { DATABASE_SECRET, withOwnerClient } from './database.ts';

export interface DatabaseWithoutStandby {
  readonly database: DatabaseConnection;
  /** Makes every commit wait for a second server, which doesn't exist. */
  requireStandby(): Promise<void>;
  /** Lets all waiting commits finish. */
  releaseCommits(): Promise<void>;
}

/** Starts a PostgreSQL server of its own, because the setting concerns all databases of a server. It is stopped after the file's tests. */
export async function startDatabaseWithoutStandby(): Promise<DatabaseWithoutStandby> {
  const dataDir = await mkdtemp(join(tmpdir(), 'callout-standby-'));
  const postgres = await startEmbeddedPostgres({
    ...EMBEDDED_DATABASE,
    dataDir,
    log: () => undefined,
    settings: { fsync: 'off', max_wal_senders: '10', wal_level: 'replica' },
  });
  const { connection: database } = postgres;
  const setStandbys = (names: string) =>
    withOwnerClient(database, async (client) => {
      await client.query(`alter system set synchronous_standby_names = '${names}'`);
      await client.query('select pg_reload_conf()');
    });
  cleanUpAfterTests(async () => {
    await setStandbys('');
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  await prepareDatabase({ owner: database }, [DATABASE_SECRET]);
  return { database, requireStandby: () => setStandbys('nobody'), releaseCommits: () => setStandbys('') };
}
