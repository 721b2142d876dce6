import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type pg from 'pg';
import { withOwnerClient } from './database.ts';
import type { TestApp } from './test-app.ts';

/** Reads every row of every table in all schemas, as text and keyed by table name. */
export async function readAllRows(test: TestApp): Promise<Record<string, string[]>> {
  return withOwnerClient(test.database, readAllTables);
}

export async function readAllTables(client: pg.Client): Promise<Record<string, string[]>> {
  const tables = await client.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') order by 1`,
  );
  const rowsByTable: Record<string, string[]> = {};
  for (const { name } of tables.rows) {
    const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`);
    rowsByTable[name] = rows.map(({ row }) => row).toSorted();
  }
  return rowsByTable;
}

/** Reads all rows except the rate limits' and the queue's, which may change although no company data does. */
export async function readPersistentRows(test: TestApp): Promise<Record<string, string[]>> {
  const isPersistent = (table: string) => table.startsWith('public.') && table !== 'public.rate_limits';
  return Object.fromEntries(Object.entries(await readAllRows(test)).filter(([table]) => isPersistent(table)));
}

/** Returns the tables in which at least one row contains `text`. */
export async function findTablesContaining(test: TestApp, text: string): Promise<string[]> {
  const tables = Object.entries(await readAllRows(test));
  return tables.flatMap(([table, rows]) => (rows.some((row) => row.includes(text)) ? [table] : []));
}

/** Reads all files and folders in the data folder, keyed by relative path. The value is base64 for a file and 'a folder' for a folder. */
export function readAllFiles({ app }: TestApp): Promise<Record<string, string>> {
  return readFolderTree(app.platform.config.dataDir);
}

export async function readFolderTree(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const contents = entries.map(async (entry): Promise<[string, string]> => {
    const path = join(entry.parentPath, entry.name);
    return [relative(folder, path), entry.isFile() ? await readFile(path, 'base64') : 'a folder'];
  });
  return Object.fromEntries(await Promise.all(contents));
}
