import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { MIGRATION_LOCK } from '../platform/db/advisory-locks.ts';
import type { ArchivedTable, Manifest } from './archive-format.ts';

/** The schemas of Callout and its queue. */
const SCHEMAS = ['public', 'graphile_worker'];

/** Values must not be formatted by server or role settings, and no timeout may end a long transaction. */
const SETTINGS = {
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

/** Some PostgreSQL versions lack some of these settings. */
export async function applySettings(client: pg.Client): Promise<void> {
  await client.query(
    'select set_config(s.name, wanted.value, false) from pg_settings s join json_each_text($1) as wanted (name, value) on wanted.name = lower(s.name)',
    [JSON.stringify(SETTINGS)],
  );
}

export interface Table extends ArchivedTable {
  /** Whether row-level security applies to the owner too. */
  readonly forced: boolean;
}

/** Starts the snapshot that all reads here use; later changes are not in it. */
export async function beginSnapshot(client: pg.Client): Promise<Table[]> {
  // Rewriting a table hides its rows from an older snapshot, so no migration may come between the snapshot and the locks.
  await client.query('select pg_advisory_lock_shared($1)', [MIGRATION_LOCK]);
  await client.query('begin isolation level repeatable read read only');
  const tables = await readTables(client);
  if (tables.length > 0) await client.query(`lock table ${tables.map(quote).join(', ')} in access share mode`);
  await client.query('select pg_advisory_unlock_shared($1)', [MIGRATION_LOCK]);
  return tables;
}

/** Excludes tables that belong to an extension. */
export async function readTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select n.nspname as schema, c.relname as name, c.relrowsecurity and c.relforcerowsecurity as forced,
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

type Versions = Pick<Manifest, 'migrations' | 'queue_migration' | 'postgres' | 'sequences'>;

/** Sequences are not part of snapshots; read afterwards, they are never behind the rows. */
export async function readVersions(client: pg.Client): Promise<Versions> {
  await readAsOwner(client);
  const migrations = await client.query<Versions['migrations'][number]>('select name, checksum from public.migrations order by name');
  const { rows } = await client.query<{ queue_migration: number; postgres: string }>(
    `select max(id) as queue_migration, current_setting('server_version') as postgres from graphile_worker.migrations`,
  );
  const sequences = await client.query<Versions['sequences'][number]>(
    `select schemaname as schema, sequencename as name, last_value::text from pg_sequences
      where schemaname = any ($1) and last_value is not null order by 1, 2`,
    [SCHEMAS],
  );
  const { queue_migration = 0, postgres = '' } = rows[0] ?? {};
  return { migrations: migrations.rows, queue_migration, postgres, sequences: sequences.rows };
}

/** The rows in PostgreSQL's text format, exactly one line each. */
export async function* readRows(client: pg.Client, table: Table): AsyncGenerator<Buffer> {
  await (table.forced ? readAsSystem(client) : readAsOwner(client));
  const stream: AsyncIterable<Buffer> = client.query(copyTo(`copy ${quote(table)} (${quoteColumns(table)}) to stdout`));
  yield* stream;
}

/** An owner who is not a superuser cannot read a table with forced row-level security; callout_system sees every company. */
async function readAsSystem(client: pg.Client): Promise<void> {
  await client.query('set local role callout_system; set local row_security = on');
}

/** With row_security off, a query fails instead of silently hiding rows. */
async function readAsOwner(client: pg.Client): Promise<void> {
  await client.query('set local role to default; set local row_security = off');
}

export interface FileTotals {
  readonly count: number;
  readonly bytes: number;
}

export async function readFileTotals(client: pg.Client): Promise<FileTotals> {
  await readAsSystem(client);
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

const FILES_AT_ONCE = 500;

/** All files with a row, in batches: a company may have a million. */
export async function* readFileRows(client: pg.Client): AsyncGenerator<FileRow> {
  await readAsSystem(client);
  let last: FileRow = { company_id: '00000000-0000-0000-0000-000000000000', id: '00000000-0000-0000-0000-000000000000', size: 0 };
  for (;;) {
    const { rows } = await client.query<FileRow>(
      `select company_id, id, file_size::float8 as size from public.files where (company_id, id) > ($1, $2) order by company_id, id limit $3`,
      [last.company_id, last.id, FILES_AT_ONCE],
    );
    yield* rows;
    last = rows.at(-1) ?? last;
    if (rows.length < FILES_AT_ONCE) return;
  }
}

/** How much disk the rows and their indexes take. */
export async function readDatabaseSize(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ size: string }>('select pg_database_size(current_database()) as size');
  return Number(rows[0]?.size);
}

export function quote({ schema, name }: Pick<ArchivedTable, 'schema' | 'name'>): string {
  return `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;
}

export function quoteColumns({ columns }: Pick<ArchivedTable, 'columns'>): string {
  return columns.map((column) => pg.escapeIdentifier(column)).join(', ');
}
