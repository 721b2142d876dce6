import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PostgresConnection, startEmbeddedPostgres } from '@callout/embedded-postgres/embedded-postgres';
import type { TestProject } from 'vitest/node';
import { EMBEDDED_DATABASE } from '../src/config.ts';
import { prepareDatabase } from '../src/platform/db/migrate.ts';
import { createDatabase, DATABASE_SECRET, TEMPLATE_DATABASE } from './database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: PostgresConnection;
  }
}

/** Gives up durability for speed: a test database doesn't have to survive a power cut. */
const FAST_POSTGRES_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  max_wal_size: '256MB',
  // Each of several thousand connections hashes a password. With the default of 4,096 rounds, that would slow down every test.
  scram_iterations: '1',
};

/** Starts one PostgreSQL server for the whole run and creates a migrated template database. Each test file clones the template. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(project.config.env['TMPDIR'] ?? tmpdir(), 'callout-test-'));
  const postgres = await startEmbeddedPostgres({ ...EMBEDDED_DATABASE, dataDir, log: () => undefined, settings: FAST_POSTGRES_SETTINGS });
  await createDatabase(postgres.connection, TEMPLATE_DATABASE);
  await prepareDatabase({ owner: { ...postgres.connection, database: TEMPLATE_DATABASE } }, [DATABASE_SECRET]);
  project.provide('postgres', postgres.connection);
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
