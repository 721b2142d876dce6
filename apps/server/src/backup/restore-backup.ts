import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileSizeText } from '@callout/domain/files/file-size';
import { countText, formatCount } from '@callout/domain/text/count-text';
import { syncFolder } from '@callout/embedded-postgres/data-folder';
import type pg from 'pg';
import { migrate, migrateUpTo, readMigrations, readQueueMigrations } from '../platform/db/migrate.ts';
import { folderStore } from '../platform/files/file-store.ts';
import { type End, type Manifest, tableName } from './archive-format.ts';
import { type ArchiveContents, madeByNewer, readArchive, verifyArchive } from './archive-reader.ts';
import { BackupError, everyTwentieth, type Progress, toBackupError } from './backup-messages.ts';
import { beginLoad, commitLoad, disableChecks, finishLoad, isEmptyDatabase, loadRows } from './load-rows.sql.ts';
import type { OwnerDatabase } from './owner-database.sql.ts';
import { applySettings, readFileRows, readTables, type Table } from './snapshot.sql.ts';

export interface RestoreParts {
  readonly archive: string;
  readonly dataDir: string;
  /** Called once the archive is verified. */
  readonly openDatabase: () => Promise<OwnerDatabase>;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Restores into an empty database and an empty files folder, all or nothing. Returns a summary line. */
export async function restoreBackup({ archive, dataDir, openDatabase, progress, signal }: RestoreParts): Promise<string> {
  const contents = await checkArchive(archive, progress);
  const { manifest, end } = contents;
  await refuseFiles(dataDir);
  const database = await openDatabase();
  let keptMails = 0;
  try {
    keptMails = await load({ archive, dataDir, progress, signal, contents, client: database.client });
    const newer = await migrate(database.connection);
    if (newer.length > 0) await progress(`Brought up to date: ${newer.join(', ')}`);
  } finally {
    await database.close();
  }
  const rows = Object.values(end.rows).reduce((sum, count) => sum + count, 0);
  const lost = end.missing.length === 0 ? '' : ` ${countText(end.missing.length, 'file')} had no bytes when the backup was taken.`;
  return `Restored ${countText(rows, 'row')} and ${countText(end.files.count, 'file')} as of ${manifest.taken_at}.${lost}${keptText(keptMails)}`;
}

function keptText(mails: number): string {
  if (mails === 0) return '';
  const which = mails === 1 ? '1 mail that was waiting is' : `${formatCount(mails)} mails that were waiting are`;
  return ` ${which} kept in the outbox and not sent, because ${mails === 1 ? 'it' : 'they'} may have been sent since the backup.`;
}

async function checkArchive(archive: string, progress: Progress): Promise<ArchiveContents> {
  const { size } = await stat(archive).catch(() => ({ size: 0 }));
  const isTime = everyTwentieth(size);
  let read = 0;
  const contents = await verifyArchive(archive, (bytes) => {
    read += bytes;
    if (isTime(read)) void progress(`Checking ${archive}: ${fileSizeText(read)} of ${fileSizeText(size)}`);
  });
  await refuseUnknownMigrations(archive, contents.manifest);
  return contents;
}

async function refuseUnknownMigrations(archive: string, { migrations, queue_migration, version }: Manifest): Promise<void> {
  const known = new Map((await readMigrations()).map(({ name, checksum }) => [name, checksum]));
  const isNewer = migrations.some(({ name }) => !known.has(name)) || queue_migration > (await readQueueMigrations()).length;
  if (isNewer) throw madeByNewer(archive, version);
  const other = migrations.find(({ name, checksum }) => known.get(name) !== checksum);
  if (other) throw new BackupError(`${archive} was made by another build of Callout: its migration ${other.name} is not the one here.`);
}

const filesFolder = (dataDir: string) => join(dataDir, 'files');

async function refuseFiles(dataDir: string): Promise<void> {
  const folder = filesFolder(dataDir);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  if (entries.some((entry) => entry.isFile())) throw new BackupError(`${folder} already holds files: a restore needs an empty folder.`);
}

interface LoadParts extends Omit<RestoreParts, 'openDatabase'> {
  readonly contents: ArchiveContents;
  readonly client: pg.Client;
}

/**
 * Files are moved right before the commit: a restore killed in between leaves files without rows, never rows without files. Returns how many
 * mails are kept.
 */
async function load(parts: LoadParts): Promise<number> {
  const { archive, dataDir, progress, signal, client } = parts;
  const { manifest, end } = parts.contents;
  await applySettings(client);
  await beginLoad(client);
  if (!(await isEmptyDatabase(client))) throw new BackupError('The database already holds tables: a restore needs an empty one.');
  const staging = join(dataDir, 'files.restoring');
  try {
    // Left by a killed restore.
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging, { recursive: true, mode: 0o700 });
    await migrateUpTo(client, manifest);
    const tables = await readTables(client);
    const checks = await disableChecks(client, tables);
    const counts = await copyContents(parts, tables, staging);
    const wrong = [...counts].find(([name, rows]) => rows !== end.rows[name]);
    if (wrong) throw new BackupError(`${archive} is damaged: ${wrong[0]} has ${countText(wrong[1], 'row')}.`);
    await progress('Checking what was restored');
    const keptMails = await finishLoad(client, manifest, tables, checks);
    await expectFiles(client, staging, end);
    signal.throwIfAborted();
    await moveFiles(staging, dataDir);
    await commitLoad(client);
    return keptMails;
  } catch (error) {
    const explained = await toBackupError(error, dataDir, `the files of the backup take ${fileSizeText(end.files.bytes)}`);
    await rm(staging, { recursive: true, force: true }).catch(() => undefined);
    throw explained;
  }
}

/** The number of rows copied into each table. */
async function copyContents(parts: LoadParts, tables: readonly Table[], staging: string): Promise<Map<string, number>> {
  const { archive, progress, signal, client } = parts;
  const { manifest, end } = parts.contents;
  const counts = new Map(tables.map((table) => [tableName(table), 0]));
  const store = folderStore(staging, randomUUID);
  const isTime = everyTwentieth(end.files.bytes);
  let bytesWritten = 0;
  await readArchive(archive, {
    async rows(name, bytes) {
      signal.throwIfAborted();
      const before = counts.get(name);
      const table = manifest.tables.find((one) => tableName(one) === name);
      // Not created by the same migrations: someone has added their own table.
      if (before === undefined || !table) return progress(`Warning: ${name} is not a table of Callout and is left out`);
      const rows = before + (await loadRows(client, table, bytes));
      counts.set(name, rows);
      await progress(`Table ${name}: ${formatCount(rows)} of ${countText(end.rows[name] ?? 0, 'row')}`);
    },
    async file(key, bytes) {
      signal.throwIfAborted();
      const received = await store.receive(Readable.from(bytes));
      await received.keep(key);
      bytesWritten += received.size;
      if (isTime(bytesWritten)) await progress(`Files: ${fileSizeText(bytesWritten)} of ${fileSizeText(end.files.bytes)}`);
    },
  });
  return counts;
}

async function expectFiles(client: pg.Client, staging: string, { missing }: End): Promise<void> {
  const excused = new Set(missing);
  for await (const { company_id, id } of readFileRows(client)) {
    const key = `${company_id}/${id}`;
    if (!excused.has(key) && !existsSync(join(staging, 'kept', key))) throw new BackupError(`The backup is damaged: it lacks file ${key}.`);
  }
}

async function moveFiles(staging: string, dataDir: string): Promise<void> {
  const folders = (await readdir(staging, { recursive: true, withFileTypes: true })).filter((entry) => entry.isDirectory());
  for (const { parentPath, name } of folders) await syncFolder(join(parentPath, name));
  await syncFolder(staging);
  await refuseFiles(dataDir);
  await rm(filesFolder(dataDir), { recursive: true, force: true });
  await rename(staging, filesFolder(dataDir));
  await syncFolder(dataDir);
}
