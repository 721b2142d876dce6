import { dirname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { formatFileSize } from '@callout/domain/files/file-size';
import { pluralize } from '@callout/domain/text/count-format';
import type pg from 'pg';
import serverPackage from '../../package.json' with { type: 'json' };
import { acquireBackupLock } from '../platform/db/locks.sql.ts';
import type { FileStore } from '../platform/files/file-store.ts';
import {
  ARCHIVE_FORMAT,
  buildFileEntryName,
  buildIncompleteName,
  buildRowsEntryName,
  getQualifiedTableName,
  MANIFEST_NAME,
  type Manifest,
} from './archive-format.ts';
import { type ArchiveWriter, createArchiveWriter } from './archive-writer.ts';
import { BackupError, createProgressThrottle, type ProgressReporter, toBackupError } from './backup-messages.ts';
import { describeLostFiles, listAttachedKeys } from './lost-files.sql.ts';
import { chunkRows, countLines } from './row-chunks.ts';
import {
  applySessionSettings,
  beginSnapshot,
  type DatabaseTable,
  type FileTotals,
  readDatabaseManifest,
  readDatabaseSize,
  readFileTotals,
  streamFileRows,
  streamRows,
} from './snapshot.sql.ts';

export interface BackupOptions {
  /** The table owner's connection, used only for this backup. The caller closes it. */
  readonly client: pg.Client;
  readonly files: FileStore;
  /** Path of the archive to create. */
  readonly target: string;
  readonly takenAt: Date;
  readonly report: ProgressReporter;
  readonly signal: AbortSignal;
}

/**
 * Backs up all rows as of one instant, and all files, while people keep working. Returns a one-line summary. If a file's bytes are missing
 * or damaged, keeps what there is under another name and throws.
 */
export async function takeBackup({ client, files, target, takenAt, report, signal }: BackupOptions): Promise<string> {
  let spaceNeeded = 'the backup needs more';
  let archive: ArchiveWriter | undefined;
  try {
    archive = await createArchiveWriter(target, takenAt, signal);
    await applySessionSettings(client);
    await acquireBackupLock(client, () => void report('Waiting for another backup to finish'));
    const tables = await beginSnapshot(client);
    if (!tables.some((table) => getQualifiedTableName(table) === 'public.migrations'))
      throw new BackupError('The database contains no Callout data. Check DATABASE_URL and DATA_DIR.');
    const databaseManifest = await readDatabaseManifest(client);
    const totals = await readFileTotals(client);
    const size = formatFileSize((await readDatabaseSize(client)) + totals.bytes);
    spaceNeeded = `the database and files take ${size} before compression`;
    await report(`Backing up ${pluralize(tables.length, 'table')} and ${pluralize(totals.count, 'file')} (${size}) to ${target}`);
    const archivedTables = tables.map(({ schema, name, columns }) => ({ schema, name, columns }));
    const baseManifest = { format: ARCHIVE_FORMAT, version: serverPackage.version, taken_at: takenAt.toISOString() } as const;
    const manifest: Manifest = { ...baseManifest, ...databaseManifest, tables: archivedTables };
    await archive.add(MANIFEST_NAME, Buffer.from(JSON.stringify(manifest)));
    const rows = await writeRows(archive, client, tables, report);
    const { written, missing, damaged } = await writeFiles(archive, client, files, totals, report);
    const lost = await listAttachedKeys(client, [...missing, ...damaged]);
    const path = lost.length === 0 ? target : buildIncompleteName(target);
    const description = lost.length === 0 ? '' : await describeLostFiles(client, lost);
    const archiveSize = await archive.finish({ rows, files: written, missing }, path);
    const rowCount = Object.values(rows).reduce((sum, count) => sum + count, 0);
    const saved = `${pluralize(rowCount, 'row')} and ${pluralize(written.count, 'file')} to ${path} (${formatFileSize(archiveSize)})`;
    if (lost.length > 0)
      throw new BackupError(
        `The backup is incomplete: ${description}. Put these files back, or delete them in Callout, and back up again. Saved ${saved}.`,
      );
    return `Backed up ${saved}.`;
  } catch (error) {
    const backupError = await toBackupError(error, dirname(target), spaceNeeded);
    // Does nothing to an archive that already has its final name.
    await archive?.discard();
    throw backupError;
  }
}

const CHUNKS_PER_PROGRESS_LINE = 16;

async function writeRows(
  archive: ArchiveWriter,
  client: pg.Client,
  tables: readonly DatabaseTable[],
  report: ProgressReporter,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [index, table] of tables.entries()) {
    const name = getQualifiedTableName(table);
    const label = `Table ${index + 1} of ${tables.length}: ${name}`;
    let rows = 0;
    let chunks = 0;
    for await (const chunk of chunkRows(streamRows(client, table))) {
      chunks += 1;
      rows += countLines(chunk);
      await archive.add(buildRowsEntryName(name, chunks), chunk);
      if (chunks % CHUNKS_PER_PROGRESS_LINE === 0) await report(`${label}, ${pluralize(rows, 'row')} so far`);
    }
    counts[name] = rows;
    await report(`${label}, ${pluralize(rows, 'row')}`);
  }
  return counts;
}

async function writeFiles(archive: ArchiveWriter, client: pg.Client, store: FileStore, totals: FileTotals, report: ProgressReporter) {
  const missing: string[] = [];
  const damaged: string[] = [];
  const written = { count: 0, bytes: 0 };
  const shouldReport = createProgressThrottle(totals.bytes);
  for await (const { company_id, id, size } of streamFileRows(client)) {
    const key = `${company_id}/${id}`;
    // Read the whole file into memory, because a tar entry starts with its exact size. Files are small enough for that.
    const stream = await store.open(key);
    const bytes = stream && (await buffer(stream));
    if (!bytes) {
      missing.push(key);
      continue;
    }
    if (bytes.length !== size) damaged.push(key);
    await archive.add(buildFileEntryName(key), bytes);
    written.count += 1;
    written.bytes += bytes.length;
    if (shouldReport(written.bytes)) await report(`Files: ${written.count} of ${totals.count}, ${formatFileSize(written.bytes)}`);
  }
  return { missing, damaged, written };
}
