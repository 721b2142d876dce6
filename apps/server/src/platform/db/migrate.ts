import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Logger, runMigrations as migrateQueue } from 'graphile-worker';
import pg from 'pg';
import { DatabaseSetupError, isMissingPrivilegeError, type PreparedLogins, prepareLogins } from './database-logins.ts';
import { MIGRATION_LOCK } from './locks.sql.ts';
import type { DatabaseConnection } from './pools.ts';

export const MIGRATIONS_DIR = join(import.meta.dirname, '../../../migrations');

const MIGRATIONS_TABLE =
  'create table if not exists migrations (name text primary key, checksum text not null, ran_at timestamptz not null default now())';

const silentLogger = new Logger(() => () => {});

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** Migrates the database and sets up the application's logins. */
export function prepareDatabase(owner: DatabaseConnection, secret: string): Promise<PreparedLogins> {
  return withMigrationLock(owner, async (client) => {
    await runMigrations(client, owner, MIGRATIONS_DIR);
    return prepareLogins(client, owner, secret);
  });
}

/** Runs pending migrations, each in its own transaction. Throws if a migration was edited after it ran. */
export function migrate(owner: DatabaseConnection, dir = MIGRATIONS_DIR): Promise<string[]> {
  return withMigrationLock(owner, (client) => runMigrations(client, owner, dir));
}

async function withMigrationLock<Result>(owner: DatabaseConnection, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ ...owner, application_name: 'callout_migrations' });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    return await work(client);
  } finally {
    await client.end();
  }
}

async function runMigrations(client: pg.Client, owner: DatabaseConnection, dir: string): Promise<string[]> {
  await client.query(MIGRATIONS_TABLE);
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migrations');
  const checksums = new Map(rows.map((row) => [row.name, row.checksum]));
  const pending = (await readMigrations(dir)).filter((migration) => isPending(migration, checksums));
  for (const migration of pending) await runMigration(client, migration);
  if (await hasQueueSchema(client)) await migrateQueueSchema(owner);
  return pending.map((migration) => migration.name);
}

async function hasQueueSchema(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(`select to_regnamespace('graphile_worker') is not null as found`);
  return rows[0]?.found === true;
}

export interface SchemaVersion {
  readonly migrations: readonly { readonly name: string }[];
  /** The number of the last graphile-worker migration that ran. */
  readonly queue_migration: number;
}

/** The migration that gives the queue its own owner. In older versions, the table owner also owned the queue. */
const QUEUE_OWNER_MIGRATION = '0014_queue_owner.sql';

/**
 * Migrates an empty database to an earlier version in the caller's transaction, so that rows of that version can be restored.
 * graphile-worker can only migrate to its latest version and commits along the way, so this function runs its files directly. The
 * migrations aren't recorded as run, because the rows to restore include those records.
 */
export async function migrateToVersion(client: pg.Client, { migrations, queue_migration }: SchemaVersion): Promise<void> {
  await client.query(MIGRATIONS_TABLE);
  const requestedNames = new Set(migrations.map(({ name }) => name));
  for (const { name, sql } of await readMigrations()) if (requestedNames.has(name)) await client.query(sql);
  if (requestedNames.has(QUEUE_OWNER_MIGRATION)) await client.query('set local role callout_queue');
  else await client.query(`create schema graphile_worker; ${QUEUE_MIGRATIONS_TABLE}`);
  for (const [index, sql] of (await readQueueMigrations()).entries()) {
    if (index < queue_migration) await client.query(sql.replaceAll(/:GRAPHILE_WORKER_SCHEMA\b/g, 'graphile_worker'));
  }
  await client.query('reset role');
}

/** graphile-worker's own statement for creating its migrations table. */
const QUEUE_MIGRATIONS_TABLE =
  'create table graphile_worker.migrations (id int primary key, ts timestamptz default now() not null, breaking boolean not null default false)';

/** Reads graphile-worker's migrations, which are numbered from 000001.sql without gaps. */
export async function readQueueMigrations(): Promise<string[]> {
  const folder = join(dirname(createRequire(import.meta.url).resolve('graphile-worker')), '../sql');
  const names = (await readdir(folder)).filter((name) => /^\d{6}\.sql$/.test(name)).toSorted();
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
}

/** Runs graphile-worker's migrations as the queue's owner, because one of our migrations makes that role own the schema. */
async function migrateQueueSchema(owner: DatabaseConnection): Promise<void> {
  const pool = new pg.Pool({ ...owner, max: 1, options: '-c role=callout_queue' });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  try {
    await migrateQueue({ pgPool: pool, logger: silentLogger });
  } finally {
    await pool.end();
  }
}

export async function readMigrations(dir = MIGRATIONS_DIR): Promise<Migration[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.sql')).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(dir, name), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

function isPending(migration: Migration, checksums: ReadonlyMap<string, string>): boolean {
  const checksum = checksums.get(migration.name);
  if (checksum !== undefined && checksum !== migration.checksum) {
    throw new Error(`Migration ${migration.name} was changed after it ran. Add a new migration instead.`);
  }
  return checksum === undefined;
}

async function runMigration(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(migration.sql);
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [migration.name, migration.checksum]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    if (isMissingPrivilegeError(error)) {
      throw new DatabaseSetupError(`The database user ${client.user} lacks a privilege that Callout needs: ${error.message}`);
    }
    throw new Error(`Migration ${migration.name} failed`, { cause: error });
  }
}
