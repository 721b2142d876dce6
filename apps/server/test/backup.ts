import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { inject } from 'vitest';
import type { ProgressReporter } from '../src/backup/backup-messages.ts';
import { openOwnerDatabase } from '../src/backup/owner-database.sql.ts';
import { restoreBackup } from '../src/backup/restore-backup.ts';
import { takeBackup } from '../src/backup/take-backup.ts';
import type { DatabaseConnection } from '../src/platform/db/pools.ts';
import { createFolderStore } from '../src/platform/files/folder-store.ts';
import { cleanUpAfterTests } from './clean-up.ts';
import { createDatabase, dropDatabase, withOwnerClient } from './database.ts';
import { readAllTables, readFolderTree } from './stored-data.ts';
import type { TestApp } from './test-app.ts';

export async function createTempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'callout-backup-'));
  cleanUpAfterTests(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The database and data folder to restore into. The folder is empty, and so is the database unless it was cloned from a template. */
export interface RestoreTarget {
  readonly database: DatabaseConnection;
  readonly dataDir: string;
}

export async function createRestoreTarget(template?: string): Promise<RestoreTarget> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const database = await createDatabase(inject('postgres'), name, template);
  cleanUpAfterTests(() => dropDatabase(inject('postgres'), name));
  return { database, dataDir: await createTempFolder() };
}

/** Formats the connection as a DATABASE_URL. */
export function toDatabaseUrl({ host = '', port, user, password = '', database }: DatabaseConnection): string {
  return `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`;
}

export interface BackupResult {
  readonly archive: string;
  /** The final message first, followed by all progress messages. */
  readonly messages: readonly string[];
}

/** Takes a backup. Calls `onSnapshot` with the backup's connection once the snapshot exists, and `onProgress` after each later step. */
export async function runBackup(
  { database, app }: Pick<TestApp, 'database' | 'app'>,
  hooks: { onSnapshot?: (client: pg.Client) => Promise<void>; onProgress?: () => Promise<unknown> } = {},
  archive?: string,
): Promise<BackupResult> {
  const target = archive ?? join(await createTempFolder(), 'backup.tar.gz');
  const messages: string[] = [];
  const result = await withOwnerClient(database, (client) => {
    const report: ProgressReporter = async (line) => {
      messages.push(line);
      if (line.startsWith('Backing up')) await hooks.onSnapshot?.(client);
      else await hooks.onProgress?.();
    };
    return takeBackup({ client, files: app.platform.files, target, takenAt: new Date(), report, signal: new AbortController().signal });
  });
  return { archive: target, messages: [result, ...messages] };
}

export interface RestoreHooks {
  readonly onProgress?: (line: string) => void;
  readonly signal?: AbortSignal;
}

export async function runRestore(
  archive: string,
  { database, dataDir }: RestoreTarget,
  { onProgress, signal }: RestoreHooks = {},
): Promise<string> {
  return restoreBackup({
    archive,
    files: createFolderStore(join(dataDir, 'files'), randomUUID),
    dataDir,
    openDatabase: () => openOwnerDatabase({ dataDir, databaseUrl: toDatabaseUrl(database), createIfMissing: false }),
    report: (line) => onProgress?.(line),
    signal: signal ?? new AbortController().signal,
  });
}

/** Queue tables with lock and schedule columns that change whenever the queue runs, even if no job was added. */
const QUEUE_STATE_TABLES = /^graphile_worker\._private_(jobs|job_queues|known_crontabs)$/;

/** Reads every row of every table, leaving out the columns that a running queue changes, so that two reads can be compared. */
export async function readStableRows(client: pg.Client): Promise<Record<string, string[]>> {
  const found = await readAllTables(client);
  for (const table of Object.keys(found).filter((name) => QUEUE_STATE_TABLES.test(name))) {
    const { rows } = await client.query<{ row: string }>(
      `select (to_jsonb(t) - 'locked_at' - 'locked_by' - 'is_available' - 'last_execution')::text as row from ${table} t order by 1`,
    );
    found[table] = rows.map(({ row }) => row);
  }
  return found;
}

/** Reads the stored files as base64, keyed by '<company>/<id>'. */
export async function readStoredFiles(dataDir: string): Promise<Record<string, string>> {
  const entries = Object.entries(await readFolderTree(join(dataDir, 'files', 'kept')));
  return Object.fromEntries(entries.filter(([, bytes]) => bytes !== 'a folder'));
}

/** Reads all rows and files of the target, to check that a rejected restore changes nothing. */
export async function readTargetContents({ database, dataDir }: RestoreTarget): Promise<unknown> {
  return { rows: await withOwnerClient(database, readAllTables), files: await readFolderTree(dataDir) };
}
