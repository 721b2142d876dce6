import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pluralize } from '@callout/domain/text/count-format';
import { Logger, runMigrations as migrateQueue } from 'graphile-worker';
import pg from 'pg';
import type { Secrets } from '../../config.ts';
import {
  type DatabaseEndpoints,
  DatabaseSetupError,
  type FoundLogins,
  findLogins,
  isMissingPrivilegeError,
  prepareLogins,
} from './database-logins.ts';
import { type LockPatience, type MigrationOptions, runWithRetries, withMigrationLock } from './migration-locks.ts';
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

/** Migrates the database and sets up the application's logins. Returns the migrations that ran, too. */
export function prepareDatabase(
  endpoints: DatabaseEndpoints,
  secrets: Secrets,
  options: MigrationOptions = {},
): Promise<FoundLogins & { readonly ran: readonly string[] }> {
  const { owner } = endpoints;
  return withMigrationLock(owner, options, async (client) => {
    const ran = await runMigrations({ client, owner, options }, MIGRATIONS_DIR);
    const warning = await prepareLogins(client, endpoints, secrets);
    const found = await findLogins(client, endpoints, secrets);
    return { logins: found.logins, warning: warning ?? found.warning, ran };
  });
}

/** Runs pending migrations. Throws if a migration was edited after it ran. */
export function migrate(owner: DatabaseConnection, dir = MIGRATIONS_DIR, options: MigrationOptions = {}): Promise<string[]> {
  return withMigrationLock(owner, options, (client) => runMigrations({ client, owner, options }, dir));
}

/** Checks, without changing anything, that `prepareDatabase` has run, and returns its logins. */
export async function requirePreparedDatabase(endpoints: DatabaseEndpoints, secrets: Secrets): Promise<FoundLogins> {
  const client = new pg.Client({ ...endpoints.owner, application_name: 'callout_migrations' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const missing = await countMissingMigrations(client);
    if (missing > 0)
      throw new DatabaseSetupError(
        `The database is older than this version of Callout: ${pluralize(missing, 'migration')} ${missing === 1 ? 'has' : 'have'} not run. Run "npm run migrate" with the same settings, then start again.`,
      );
    return await findLogins(client, endpoints, secrets);
  } finally {
    await client.end();
  }
}

/** Counts this version's migrations that have not run. A newer database is fine, because migrations keep the previous release working. */
async function countMissingMigrations(client: pg.Client): Promise<number> {
  const own = await readMigrations();
  const ran = await readRanMigrations(client);
  const missing = own.filter(({ name }) => !ran.has(name)).length;
  if (missing > 0) return missing;
  const { rows } = await client.query<{ last: number }>('select max(id) as last from graphile_worker.migrations');
  return Math.max(0, (await readQueueMigrations()).length - (rows[0]?.last ?? 0));
}

/** Returns the checksums of the migrations that ran, by name. */
async function readRanMigrations(client: pg.Client): Promise<Map<string, string>> {
  const table = await client.query<{ found: boolean }>(`select to_regclass('migrations') is not null as found`);
  if (table.rows[0]?.found !== true) return new Map();
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migrations');
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

interface MigrationSession {
  readonly client: pg.Client;
  readonly owner: DatabaseConnection;
  readonly options: MigrationOptions;
}

async function runMigrations(session: MigrationSession, dir: string): Promise<string[]> {
  const { client, options } = session;
  await client.query(MIGRATIONS_TABLE);
  const checksums = await readRanMigrations(client);
  const pending = (await readMigrations(dir)).filter((migration) => isPending(migration, checksums));
  for (const migration of pending) {
    const startedAt = performance.now();
    await runMigration(session, migration);
    options.report?.(`${migration.name}  ${((performance.now() - startedAt) / 1000).toFixed(2)} s`);
  }
  if (await hasQueueSchema(client)) await migrateQueueSchema(session);
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
export async function migrateToVersion(
  client: pg.Client,
  { migrations, queue_migration }: SchemaVersion,
  dir = MIGRATIONS_DIR,
): Promise<void> {
  await client.query(MIGRATIONS_TABLE);
  const requestedNames = new Set(migrations.map(({ name }) => name));
  for (const { name, sql } of await readMigrations(dir)) if (requestedNames.has(name)) await client.query(buildIndexesInTransaction(sql));
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
async function migrateQueueSchema({ client, owner, options }: MigrationSession): Promise<void> {
  const migrateAsQueueOwner = async ({ lockTimeoutMs }: LockPatience) => {
    const pool = new pg.Pool({ ...owner, max: 1, options: `-c role=callout_queue -c lock_timeout=${lockTimeoutMs}` });
    pool.on('error', () => undefined);
    pool.on('connect', (connection) => connection.on('error', () => undefined));
    try {
      await migrateQueue({ pgPool: pool, logger: silentLogger });
    } finally {
      await pool.end();
    }
  };
  await runWithRetries({ name: 'The migration of the queue', owner, client, options, run: migrateAsQueueOwner });
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

async function runMigration({ client, owner, options }: MigrationSession, migration: Migration): Promise<void> {
  const run = (patience: LockPatience) =>
    isTransactional(migration) ? runInTransaction(client, migration, patience) : runStatements(client, migration);
  try {
    await runWithRetries({ name: `Migration ${migration.name}`, owner, client, options, run });
  } catch (error) {
    if (error instanceof DatabaseSetupError) throw error;
    if (isMissingPrivilegeError(error)) {
      throw new DatabaseSetupError(`The database user ${client.user} lacks a privilege that Callout needs: ${error.message}`);
    }
    throw new Error(`Migration ${migration.name} failed`, { cause: error });
  }
}

async function runInTransaction(client: pg.Client, migration: Migration, { lockTimeoutMs }: LockPatience): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
    await client.query(migration.sql);
    await recordMigration(client, migration);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

const recordMigration = (client: pg.Client, { name, checksum }: Migration) =>
  client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum]);

/** The first line of a migration that builds or drops indexes concurrently, which PostgreSQL doesn't do inside a transaction. */
const NO_TRANSACTION = '-- transaction: none\n';

const isTransactional = ({ sql }: Migration) => !sql.startsWith(NO_TRANSACTION);

/** Nobody waits behind a concurrent index build, but the build itself waits for every older transaction, such as a backup. */
const CONCURRENT_LOCK_TIMEOUT_MS = 600_000;

/** Runs the statements one by one. Each can be repeated, so a migration that was interrupted starts over. */
async function runStatements(client: pg.Client, migration: Migration): Promise<void> {
  await client.query(`set lock_timeout = ${CONCURRENT_LOCK_TIMEOUT_MS}`);
  for (const statement of splitStatements(migration.sql)) {
    const [, index] = CONCURRENT_BUILD.exec(statement) ?? [];
    if (index !== undefined) await dropInvalidIndex(client, index);
    try {
      await client.query(statement);
    } catch (error) {
      // An index that isn't complete would still slow down every write.
      if (index !== undefined) await dropInvalidIndex(client, index).catch(() => undefined);
      throw error;
    }
  }
  await client.query('reset lock_timeout');
  await recordMigration(client, migration);
}

const CONCURRENT_BUILD = /^create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?(\w+)/i;

/** Splits at semicolons, which an index definition never contains. */
function splitStatements(sql: string): string[] {
  const statements = sql.replaceAll(/--.*$/gm, '').split(';');
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '');
}

/** Drops what an interrupted build left behind. `if not exists` would otherwise take it for the finished index. */
async function dropInvalidIndex(client: pg.Client, index: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_index where indexrelid = to_regclass($1) and not indisvalid', [index]);
  if (rowCount !== 0) await client.query(`drop index concurrently if exists ${index}`);
}

/** Rewrites a migration for a database that no one else uses yet and that is filled in a single transaction. */
const buildIndexesInTransaction = (sql: string) => sql.replaceAll(/\b(index\s+)concurrently\s/gi, '$1');
