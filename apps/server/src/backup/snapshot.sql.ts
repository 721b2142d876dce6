import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { MIGRATION_LOCK } from '../platform/db/locks.sql.ts';
import type { ArchivedTable, Manifest } from './archive-format.ts';

/** The schemas to back up: Callout's own and its job queue's. */
const SCHEMAS = ['public', 'graphile_worker'];

/** Settings that make the text format independent of the server and role, and disable timeouts that would end a long transaction. */
const SESSION_SETTINGS = {
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  extra_float_digits: '3',
  bytea_output: 'hex',
  timezone: 'UTC',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  transaction_timeout: '0',
};

/** Applies the session settings that this PostgreSQL version supports. */
export async function applySessionSettings(client: pg.Client): Promise<void> {
  await client.query(
    'select set_config(s.name, setting.value, false) from pg_settings s join json_each_text($1) as setting (name, value) on setting.name = lower(s.name)',
    [JSON.stringify(SESSION_SETTINGS)],
  );
}

export interface DatabaseTable extends ArchivedTable {
  /** True if row-level security also applies to the table's owner. */
  readonly rls_forced: boolean;
}

/** Starts the snapshot that the whole backup reads from, so that later changes are left out. Returns the snapshot's tables. */
export async function beginSnapshot(client: pg.Client): Promise<DatabaseTable[]> {
  // Keep migrations out until the tables are locked: a migration that rewrites a table would hide its rows from this snapshot.
  await client.query('select pg_advisory_lock_shared($1)', [MIGRATION_LOCK]);
  await client.query('begin isolation level repeatable read read only');
  const tables = await listTables(client);
  if (tables.length > 0) await client.query(`lock table ${tables.map(quoteName).join(', ')} in access share mode`);
  await client.query('select pg_advisory_unlock_shared($1)', [MIGRATION_LOCK]);
  return tables;
}

/** Lists all tables except those that belong to an extension. */
export async function listTables(client: pg.Client): Promise<DatabaseTable[]> {
  const { rows } = await client.query<DatabaseTable>(
    `select n.nspname as schema, c.relname as name, c.relrowsecurity and c.relforcerowsecurity as rls_forced,
        array_agg(a.attname::text order by a.attnum) as columns
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relkind = 'r' and n.nspname = any ($1)
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
      group by c.oid, n.nspname order by n.nspname desc, c.relname`,
    [SCHEMAS],
  );
  return rows;
}

type DatabaseManifest = Pick<Manifest, 'migrations' | 'queue_migration' | 'postgres' | 'sequences'>;

/** Call this after taking the snapshot. Sequences ignore snapshots, so when read later, they are never behind the snapshot's rows. */
export async function readDatabaseManifest(client: pg.Client): Promise<DatabaseManifest> {
  await switchToOwnerRole(client);
  const migrations = await client.query<Manifest['migrations'][number]>('select name, checksum from public.migrations order by name');
  const { rows } = await client.query<{ queue_migration: number; postgres: string }>(
    `select max(id) as queue_migration, current_setting('server_version') as postgres from graphile_worker.migrations`,
  );
  const sequences = await client.query<Manifest['sequences'][number]>(
    `select schemaname as schema, sequencename as name, last_value::text from pg_sequences
      where schemaname = any ($1) and last_value is not null order by 1, 2`,
    [SCHEMAS],
  );
  const { queue_migration = 0, postgres = '' } = rows[0] ?? {};
  return { migrations: migrations.rows, queue_migration, postgres, sequences: sequences.rows };
}

/** Streams the table's rows in PostgreSQL's text format, one line per row. */
export async function* streamRows(client: pg.Client, table: DatabaseTable): AsyncGenerator<Buffer> {
  await (table.rls_forced ? switchToSystemRole(client) : switchToOwnerRole(client));
  const stream: AsyncIterable<Buffer> = client.query(copyTo(`copy ${quoteName(table)} (${quoteColumns(table)}) to stdout`));
  yield* stream;
}

/** Switches to the role that can read every company's rows. Forced row-level security hides them from an owner who isn't a superuser. */
async function switchToSystemRole(client: pg.Client): Promise<void> {
  await client.query('set local role callout_system; set local row_security = on');
}

/** Switches back to the owner. With row_security off, a query fails instead of silently skipping rows. */
async function switchToOwnerRole(client: pg.Client): Promise<void> {
  await client.query('set local role to default; set local row_security = off');
}

export interface FileTotals {
  readonly count: number;
  readonly bytes: number;
}

export async function readFileTotals(client: pg.Client): Promise<FileTotals> {
  await switchToSystemRole(client);
  const { rows } = await client.query<{ count: string; bytes: string }>(
    'select count(*), coalesce(sum(file_size), 0) as bytes from public.files',
  );
  return { count: Number(rows[0]?.count), bytes: Number(rows[0]?.bytes) };
}

export interface FileRow {
  readonly company_id: string;
  readonly id: string;
  readonly size: number;
}

const FILE_BATCH_SIZE = 500;

/** Streams the rows of all files in the snapshot. */
export async function* streamFileRows(client: pg.Client): AsyncGenerator<FileRow> {
  await switchToSystemRole(client);
  for await (const batch of streamFileBatches(client)) yield* batch;
}

/** Streams the rows of files in batches, because there may be a million. The connection must have the role that can read all of them. */
export async function* streamFileBatches(client: pg.Client, createdSince = new Date(0)): AsyncGenerator<FileRow[]> {
  let last: FileRow = { company_id: '00000000-0000-0000-0000-000000000000', id: '00000000-0000-0000-0000-000000000000', size: 0 };
  for (;;) {
    const { rows } = await client.query<FileRow>(
      `select company_id, id, file_size::float8 as size from public.files
        where (company_id, id) > ($1, $2) and created_at >= $4 order by company_id, id limit $3`,
      [last.company_id, last.id, FILE_BATCH_SIZE, createdSince],
    );
    yield rows;
    last = rows.at(-1) ?? last;
    if (rows.length < FILE_BATCH_SIZE) return;
  }
}

/** Returns the database's size on disk in bytes, including indexes. */
export async function readDatabaseSize(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ size: string }>('select pg_database_size(current_database()) as size');
  return Number(rows[0]?.size);
}

export function quoteName({ schema, name }: Pick<ArchivedTable, 'schema' | 'name'>): string {
  return `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;
}

export function quoteColumns({ columns }: Pick<ArchivedTable, 'columns'>): string {
  return columns.map((column) => pg.escapeIdentifier(column)).join(', ');
}
