import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { formatFileSize } from '@callout/domain/files/file-size';
import { formatCount, pluralize } from '@callout/domain/text/count-format';
import type pg from 'pg';
import { migrate, migrateToVersion, readMigrations, readQueueMigrations } from '../platform/db/migrate.ts';
import type { FileRestore, FileStore } from '../platform/files/file-store.ts';
import { type ArchiveTrailer, getQualifiedTableName, type Manifest } from './archive-format.ts';
import { type ArchiveSummary, createNewerVersionError, readArchive, verifyArchive } from './archive-reader.ts';
import { BackupError, createProgressThrottle, type ProgressReporter, toBackupError } from './backup-messages.ts';
import { beginRestore, commitRestore, disableChecks, finishRestore, isEmptyDatabase, loadRows } from './load-rows.sql.ts';
import type { OwnerDatabase } from './owner-database.sql.ts';
import { applySessionSettings, type DatabaseTable, listTables, streamFileRows } from './snapshot.sql.ts';

export interface RestoreOptions {
  readonly archive: string;
  readonly files: FileStore;
  /** The folder to name if its disk is full. */
  readonly dataDir: string;
  /** Called only once the archive has been verified, so that a damaged archive never creates a database. */
  readonly openDatabase: () => Promise<OwnerDatabase>;
  readonly report: ProgressReporter;
  readonly signal: AbortSignal;
}

/** Restores the whole archive into an empty database and files folder, or changes nothing. Returns a one-line summary. */
export async function restoreBackup(options: RestoreOptions): Promise<string> {
  const { archive, files, openDatabase, report } = options;
  const summary = await verifyRestorable(archive, report);
  const { manifest, trailer } = summary;
  await files.requireEmpty();
  const database = await openDatabase();
  let keptMails = 0;
  try {
    keptMails = await loadArchive({ ...options, summary, client: database.client });
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

interface LoadOptions extends Omit<RestoreOptions, 'openDatabase'> {
  readonly summary: ArchiveSummary;
  readonly client: pg.Client;
}

/** Loads rows and files. The files are moved into place right before the commit, so a killed restore never leaves rows without files. */
async function loadArchive(options: LoadOptions): Promise<number> {
  const { archive, files, dataDir, report, signal, client } = options;
  const { manifest, trailer } = options.summary;
  await applySessionSettings(client);
  await beginRestore(client);
  if (!(await isEmptyDatabase(client))) throw new BackupError('The database already contains tables. Restore into an empty database.');
  let restore: FileRestore | undefined;
  try {
    restore = await files.startRestore();
    await migrateToVersion(client, manifest);
    const tables = await listTables(client);
    const checks = await disableChecks(client, tables);
    const { counts, keys } = await copyContents(options, tables, restore);
    const mismatch = [...counts].find(([name, rows]) => rows !== trailer.rows[name]);
    if (mismatch)
      throw new BackupError(
        `${archive} is damaged: ${mismatch[0]} has ${pluralize(mismatch[1], 'row')} instead of ${trailer.rows[mismatch[0]] ?? 0}. Use another backup.`,
      );
    await report('Checking the restored data');
    const keptMails = await finishRestore(client, manifest, tables, checks);
    await requireAllFiles(client, keys, trailer);
    signal.throwIfAborted();
    await restore.finish();
    await commitRestore(client);
    // If this fails, the server does it when it starts.
    await restore.complete().catch(() => undefined);
    return keptMails;
  } catch (error) {
    const backupError = await toBackupError(error, dataDir, `the files in the backup take ${formatFileSize(trailer.files.bytes)}`);
    await restore?.discard().catch(() => undefined);
    throw backupError;
  }
}

/** Copies the archive's rows and files. Returns the number of rows copied into each table, by '<schema>.<table>', and the files' keys. */
async function copyContents(options: LoadOptions, tables: readonly DatabaseTable[], restore: FileRestore) {
  const { archive, report, signal, client } = options;
  const { manifest, trailer } = options.summary;
  const counts = new Map(tables.map((table) => [getQualifiedTableName(table), 0]));
  const keys = new Set<string>();
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
      bytesWritten += await restore.save(key, Readable.from(bytes));
      keys.add(key);
      if (shouldReport(bytesWritten)) await report(`Files: ${formatFileSize(bytesWritten)} of ${formatFileSize(trailer.files.bytes)}`);
    },
  });
  return { counts, keys };
}

async function requireAllFiles(client: pg.Client, keys: ReadonlySet<string>, { missing }: ArchiveTrailer): Promise<void> {
  const ignored = new Set(missing);
  for await (const { company_id, id } of streamFileRows(client)) {
    const key = `${company_id}/${id}`;
    if (!ignored.has(key) && !keys.has(key)) throw new BackupError(`The backup is damaged: file ${key} is missing.`);
  }
}
