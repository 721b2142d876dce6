import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PostgresConnection, startEmbeddedPostgres } from '@callout/embedded-postgres/embedded-postgres';
import type { TestProject } from 'vitest/node';
import { EMBEDDED_DATABASE } from '../src/embedded-database.ts';
import { prepareDatabase } from '../src/platform/db/migrate.ts';
import { createDatabase, DATABASE_SECRET, TEMPLATE } from './database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: PostgresConnection;
  }
}

/** One real PostgreSQL for the whole run, migrated once and cloned by each test file. Nothing here must survive a power cut. */
const QUICK = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200', max_wal_size: '256MB' };

const MEMORY = '/dev/shm';
const MIN_MEMORY_BYTES = 4 * 1024 ** 3;

/** In memory where there is plenty: a clone is hundreds of files, which a busy disk takes half a second to create. */
async function chooseParentFolder(): Promise<string> {
  const memory = await statfs(MEMORY).catch(() => null);
  return memory && memory.bavail * memory.bsize >= MIN_MEMORY_BYTES ? MEMORY : tmpdir();
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(await chooseParentFolder(), 'callout-test-'));
  const postgres = await startEmbeddedPostgres({ ...EMBEDDED_DATABASE, dataDir, log: () => undefined, settings: QUICK });
  await createDatabase(postgres.connection, TEMPLATE);
  await prepareDatabase({ ...postgres.connection, database: TEMPLATE }, DATABASE_SECRET);
  project.provide('postgres', postgres.connection);
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
