import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PostgresConnection, startEmbeddedPostgres } from '@callout/embedded-postgres/embedded-postgres';
import type { TestProject } from 'vitest/node';
import { EMBEDDED_DATABASE } from '../src/config.ts';
import { prepareDatabase } from '../src/platform/db/migrate.ts';
import { createDatabase, DATABASE_SECRET, TEMPLATE } from './database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: PostgresConnection;
  }
}

/** One real PostgreSQL for the whole run, migrated once and cloned by each test file. Nothing here must survive a power cut. */
const QUICK = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  max_wal_size: '256MB',
  // Each of several thousand connections would take 4,096 rounds to sign in.
  scram_iterations: '1',
};

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(project.config.env['TMPDIR'] ?? tmpdir(), 'callout-test-'));
  const postgres = await startEmbeddedPostgres({ ...EMBEDDED_DATABASE, dataDir, log: () => undefined, settings: QUICK });
  await createDatabase(postgres.connection, TEMPLATE);
  await prepareDatabase({ ...postgres.connection, database: TEMPLATE }, DATABASE_SECRET);
  project.provide('postgres', postgres.connection);
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
