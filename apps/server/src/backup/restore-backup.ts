import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { formatFileSize } from '@callout/domain/files/file-size';
import { formatCount, pluralize } from '@callout/domain/text/count-format';
import { syncFolder } from '@callout/embedded-postgres/data-folder';
import type pg from 'pg';
import { migrate, migrateToVersion, readMigrations, readQueueMigrations } from '../platform/db/migrate.ts';
import { createFolderStore } from '../platform/files/file-store.ts';
import { type ArchiveTrailer, getQualifiedTableName, type Manifest } from './archive-format.ts';
import { type ArchiveSummary, createNewerVersionError, readArchive, verifyArchive } from './archive-reader.ts';
import { BackupError, createProgressThrottle, type ProgressReporter, toBackupError } from './backup-messages.ts';
import { beginRestore, commitRestore, disableChecks, finishRestore, isEmptyDatabase, loadRows } from './load-rows.sql.ts';
import type { OwnerDatabase } from './owner-database.sql.ts';
import { applySessionSettings, type DatabaseTable, listTables, streamFileRows } from './snapshot.sql.ts';

export interface RestoreOptions {
  readonly archive: string;
  readonly dataDir: string;
  /** Called only once the archive has been verified, so that a damaged archive never creates a database. */
  readonly openDatabase: () => Promise<OwnerDatabase>;
  readonly report: ProgressReporter;
  readonly signal: AbortSignal;
}

/** Restores the whole archive into an empty database and files folder, or changes nothing. Returns a one-line summary. */
export async function restoreBackup({ archive, dataDir, openDatabase, report, signal }: RestoreOptions): Promise<string> {
  const summary = await verifyRestorable(archive, report);
  const { manifest, trailer } = summary;
  await requireNoFiles(dataDir);
  const database = await openDatabase();
  let keptMails = 0;
  try {
    keptMails = await loadArchive({ archive, dataDir, report, signal, summary, client: database.client });
    const newer = await migrate(database.connection);
    if (newer.length > 0) await report(`Applied newer migrations: ${newer.join(', ')}`);
  } finally {
    await database.close();
  }
  const rows = Object.values(trailer.rows).reduce((sum, count) => sum + count, 0);
  const { missing } = trailer;
  const missingNote = missing.length === 0 ? '' : ` Already missing when the backup was taken: ${pluralize(missing.length, 'file')}.`;
  return `Restored ${pluralize(rows, 'row')} and ${pluralize(trailer.files.count, 'file')} from the backup of ${manifest.taken_at}.${missingNote}${formatKeptMails(keptMails)}`;
}

function formatKeptMails(mails: number): string {
  if (mails === 0) return '';
  const subject = mails === 1 ? '1 waiting email was' : `${formatCount(mails)} waiting emails were`;
  return ` ${subject} not sent, because ${mails === 1 ? 'it' : 'they'} may have been sent after the backup. Check the outbox.`;
}

async function verifyRestorable(archive: string, report: ProgressReporter): Promise<ArchiveSummary> {
  const { size } = await stat(archive).catch(() => ({ size: 0 }));
  const shouldReport = createProgressThrottle(size);
  let read = 0;
  const summary = await verifyArchive(archive, (bytes) => {
    read += bytes;
    if (shouldReport(read)) void report(`Checking ${archive}: ${formatFileSize(read)} of ${formatFileSize(size)}`);
  });
  await requireKnownMigrations(archive, summary.manifest);
  return summary;
}

async function requireKnownMigrations(archive: string, { migrations, queue_migration, version }: Manifest): Promise<void> {
  const known = new Map((await readMigrations()).map(({ name, checksum }) => [name, checksum]));
  const isNewer = migrations.some(({ name }) => !known.has(name)) || queue_migration > (await readQueueMigrations()).length;
  if (isNewer) throw createNewerVersionError(archive, version);
  const other = migrations.find(({ name, checksum }) => known.get(name) !== checksum);
  if (other) throw new BackupError(`${archive} was made by another build of Callout (${other.name} differs). Restore it with that build.`);
}

const getFilesFolder = (dataDir: string) => join(dataDir, 'files');

async function requireNoFiles(dataDir: string): Promise<void> {
  const folder = getFilesFolder(dataDir);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  if (entries.some((entry) => entry.isFile())) throw new BackupError(`${folder} already contains files. Restore into an empty folder.`);
}

interface LoadOptions extends Omit<RestoreOptions, 'openDatabase'> {
  readonly summary: ArchiveSummary;
  readonly client: pg.Client;
}

/** Loads rows and files. The files are moved into place right before the commit, so a killed restore never leaves rows without files. */
async function loadArchive(options: LoadOptions): Promise<number> {
  const { archive, dataDir, report, signal, client } = options;
  const { manifest, trailer } = options.summary;
  await applySessionSettings(client);
  await beginRestore(client);
  if (!(await isEmptyDatabase(client))) throw new BackupError('The database already contains tables. Restore into an empty database.');
  const staging = join(dataDir, 'files.restoring');
  try {
    // Remove what a killed restore may have left behind.
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging, { recursive: true, mode: 0o700 });
    await migrateToVersion(client, manifest);
    const tables = await listTables(client);
    const checks = await disableChecks(client, tables);
    const counts = await copyContents(options, tables, staging);
    const mismatch = [...counts].find(([name, rows]) => rows !== trailer.rows[name]);
    if (mismatch)
      throw new BackupError(
        `${archive} is damaged: ${mismatch[0]} has ${pluralize(mismatch[1], 'row')} instead of ${trailer.rows[mismatch[0]] ?? 0}. Use another backup.`,
      );
    await report('Checking the restored data');
    const keptMails = await finishRestore(client, manifest, tables, checks);
    await requireAllFiles(client, staging, trailer);
    signal.throwIfAborted();
    await moveFilesIntoPlace(staging, dataDir);
    await commitRestore(client);
    return keptMails;
  } catch (error) {
    const backupError = await toBackupError(error, dataDir, `the files in the backup take ${formatFileSize(trailer.files.bytes)}`);
    await rm(staging, { recursive: true, force: true }).catch(() => undefined);
    throw backupError;
  }
}

/** Copies the archive's rows and files. Returns the number of rows copied into each table, keyed by '<schema>.<table>'. */
async function copyContents(options: LoadOptions, tables: readonly DatabaseTable[], staging: string): Promise<Map<string, number>> {
  const { archive, report, signal, client } = options;
  const { manifest, trailer } = options.summary;
  const counts = new Map(tables.map((table) => [getQualifiedTableName(table), 0]));
  const store = createFolderStore(staging, randomUUID);
  const shouldReport = createProgressThrottle(trailer.files.bytes);
  let bytesWritten = 0;
  await readArchive(archive, {
    async onRows(name, bytes) {
      signal.throwIfAborted();
      const copied = counts.get(name);
      const table = manifest.tables.find((candidate) => getQualifiedTableName(candidate) === name);
      // Migrations have created all of Callout's tables, so any other table in the backup isn't Callout's.
      if (copied === undefined || !table) return report(`Warning: skipped ${name}, which is not a Callout table`);
      const rows = copied + (await loadRows(client, table, bytes));
      counts.set(name, rows);
      await report(`Table ${name}: ${formatCount(rows)} of ${pluralize(trailer.rows[name] ?? 0, 'row')}`);
    },
    async onFile(key, bytes) {
      signal.throwIfAborted();
      const received = await store.receive(Readable.from(bytes));
      await received.saveAs(key);
      bytesWritten += received.size;
      if (shouldReport(bytesWritten)) await report(`Files: ${formatFileSize(bytesWritten)} of ${formatFileSize(trailer.files.bytes)}`);
    },
  });
  return counts;
}

async function requireAllFiles(client: pg.Client, staging: string, { missing }: ArchiveTrailer): Promise<void> {
  const ignored = new Set(missing);
  for await (const { company_id, id } of streamFileRows(client)) {
    const key = `${company_id}/${id}`;
    if (!ignored.has(key) && !existsSync(join(staging, 'kept', key)))
      throw new BackupError(`The backup is damaged: file ${key} is missing.`);
  }
}

async function moveFilesIntoPlace(staging: string, dataDir: string): Promise<void> {
  const folders = (await readdir(staging, { recursive: true, withFileTypes: true })).filter((entry) => entry.isDirectory());
  for (const { parentPath, name } of folders) await syncFolder(join(parentPath, name));
  await syncFolder(staging);
  await requireNoFiles(dataDir);
  await rm(getFilesFolder(dataDir), { recursive: true, force: true });
  await rename(staging, getFilesFolder(dataDir));
  await syncFolder(dataDir);
}
