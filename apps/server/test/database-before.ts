import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { MIGRATIONS_DIR, migrate } from '../src/platform/db/migrate.ts';
import { createDatabase, dropDatabase } from './database.ts';

/** Creates a database with all migrations before `migration`, to test what it does with earlier data. */
export async function createDatabaseBefore(migration: string) {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const database = await createDatabase(inject('postgres'), name);
  const earlierMigrationsDir = await mkdtemp(join(tmpdir(), 'callout-migrations-'));
  const earlier = (await readdir(MIGRATIONS_DIR)).filter((file) => file < migration);
  for (const file of earlier) await cp(join(MIGRATIONS_DIR, file), join(earlierMigrationsDir, file));
  await migrate(database, earlierMigrationsDir);
  await rm(earlierMigrationsDir, { recursive: true, force: true });
  return { database, drop: () => dropDatabase(inject('postgres'), name) };
}
