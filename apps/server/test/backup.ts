import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { inject } from 'vitest';
import type { Progress } from '../src/backup/backup-messages.ts';
import { openOwnerDatabase } from '../src/backup/owner-database.sql.ts';
import { restoreBackup } from '../src/backup/restore-backup.ts';
import { takeBackup } from '../src/backup/take-backup.ts';
import type { DatabaseConnection } from '../src/platform/db/pools.ts';
import { cleanUpAfterTests } from './clean-up.ts';
import { createDatabase, dropDatabase, withOwner } from './database.ts';
import { readEveryFile, readEveryRow } from './every-row.ts';
import type { TestApp } from './test-app.ts';

export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'callout-backup-'));
  cleanUpAfterTests(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** An empty database and an empty data folder. */
export interface Target {
  readonly database: DatabaseConnection;
  readonly dataDir: string;
}

export async function makeTarget(template?: string): Promise<Target> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const database = await createDatabase(inject('postgres'), name, template);
  cleanUpAfterTests(() => dropDatabase(inject('postgres'), name));
  return { database, dataDir: await makeFolder() };
}

/** In the format of DATABASE_URL. */
export function urlOf({ host = '', port, user, password = '', database }: DatabaseConnection): string {
  return `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`;
}

export interface TakenBackup {
  readonly archive: string;
  /** The result, then every line of progress. */
  readonly said: readonly string[];
}

/** Runs `onSnapshot` on the backup's own connection as soon as its snapshot exists, and `onLine` after every step. */
export async function backUp(
  { database, app }: Pick<TestApp, 'database' | 'app'>,
  hooks: { onSnapshot?: (client: pg.Client) => Promise<void>; onLine?: () => Promise<unknown> } = {},
  archive?: string,
): Promise<TakenBackup> {
  const target = archive ?? join(await makeFolder(), 'backup.tar.gz');
  const said: string[] = [];
  const result = await withOwner(database, (client) => {
    const progress: Progress = async (line) => {
      said.push(line);
      if (line.startsWith('Backing up')) await hooks.onSnapshot?.(client);
      else await hooks.onLine?.();
    };
    return takeBackup({ client, files: app.platform.files, target, takenAt: new Date(), progress, signal: new AbortController().signal });
  });
  return { archive: target, said: [result, ...said] };
}

export interface RestoreHooks {
  readonly onLine?: (line: string) => void;
  readonly signal?: AbortSignal;
}

export async function restore(archive: string, { database, dataDir }: Target, { onLine, signal }: RestoreHooks = {}): Promise<string> {
  return restoreBackup({
    archive,
    dataDir,
    openDatabase: () => openOwnerDatabase({ dataDir, databaseUrl: urlOf(database), create: false }),
    progress: (line) => onLine?.(line),
    signal: signal ?? new AbortController().signal,
  });
}

/** Their columns hold job locks and schedule times, which the queue keeps writing. */
const WORKED_ON = /^graphile_worker\._private_(jobs|job_queues|known_crontabs)$/;

/** Every row of every table, without the state of running jobs. */
export async function readComparableRows(client: pg.Client): Promise<Record<string, string[]>> {
  const found = await readEveryRow(client);
  for (const table of Object.keys(found).filter((name) => WORKED_ON.test(name))) {
    const { rows } = await client.query<{ row: string }>(
      `select (to_jsonb(t) - 'locked_at' - 'locked_by' - 'is_available' - 'last_execution')::text as row from ${table} t order by 1`,
    );
    found[table] = rows.map(({ row }) => row);
  }
  return found;
}

/** The kept files by '<company>/<id>'. */
export async function readKeptFiles(dataDir: string): Promise<Record<string, string>> {
  const entries = Object.entries(await readEveryFile(join(dataDir, 'files', 'kept')));
  return Object.fromEntries(entries.filter(([, bytes]) => bytes !== 'a folder'));
}

/** Everything a refused restore must leave unchanged. */
export async function readTarget({ database, dataDir }: Target): Promise<unknown> {
  return { rows: await withOwner(database, readEveryRow), files: await readEveryFile(dataDir) };
}
