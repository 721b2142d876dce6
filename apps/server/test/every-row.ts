import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type pg from 'pg';
import { withOwner } from './database.ts';
import type { TestApp } from './test-app.ts';

/** Every row of every table in any schema, as text by table name. */
export async function everyRow(test: TestApp): Promise<Record<string, string[]>> {
  return withOwner(test.database, readEveryRow);
}

export async function readEveryRow(client: pg.Client): Promise<Record<string, string[]>> {
  const tables = await client.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') order by 1`,
  );
  const found: Record<string, string[]> = {};
  for (const { name } of tables.rows) {
    const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`);
    found[name] = rows.map(({ row }) => row).toSorted();
  }
  return found;
}

/** Every row, except how often calls were made, what the queue still has to do, and when it last looked at its clock. */
export async function everyLastingRow(test: TestApp): Promise<Record<string, string[]>> {
  const {
    'public.rate_limits': _calls,
    'graphile_worker._private_jobs': _queue,
    'graphile_worker._private_known_crontabs': _clock,
    ...rows
  } = await everyRow(test);
  return rows;
}

/** The tables that contain a text anywhere in a row. */
export async function tablesWith(test: TestApp, text: string): Promise<string[]> {
  const found = Object.entries(await everyRow(test));
  return found.flatMap(([table, rows]) => (rows.some((row) => row.includes(text)) ? [table] : []));
}

/** Every file below the data folder with its bytes, and every folder, by path. */
export function everyFile({ app }: TestApp): Promise<Record<string, string>> {
  return readEveryFile(app.platform.config.dataDir);
}

export async function readEveryFile(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = entries.map(async (entry): Promise<[string, string]> => {
    const path = join(entry.parentPath, entry.name);
    return [relative(folder, path), entry.isFile() ? await readFile(path, 'base64') : 'a folder'];
  });
  return Object.fromEntries(await Promise.all(found));
}
