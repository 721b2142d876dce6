import { dirname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileSizeText } from '@callout/domain/files/file-size';
import { countText } from '@callout/domain/text/count-text';
import type pg from 'pg';
import serverPackage from '../../package.json' with { type: 'json' };
import { holdBackupLock } from '../platform/db/advisory-locks.ts';
import type { FileStore } from '../platform/files/file-store.ts';
import { FORMAT, fileEntry, MANIFEST_NAME, type Manifest, rowsEntry, tableName } from './archive-format.ts';
import { type ArchiveWriter, createArchive } from './archive-writer.ts';
import { BackupError, everyTwentieth, type Progress, toBackupError } from './backup-messages.ts';
import { chunksOf, countLines } from './row-chunks.ts';
import {
  applySettings,
  beginSnapshot,
  type FileTotals,
  readDatabaseSize,
  readFileRows,
  readFileTotals,
  readRows,
  readVersions,
  type Table,
} from './snapshot.sql.ts';

export interface BackupParts {
  /** The table owner's connection, not shared; close it afterwards. */
  readonly client: pg.Client;
  readonly files: FileStore;
  /** The path of the archive. */
  readonly target: string;
  readonly takenAt: Date;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Backs up all rows in one snapshot and all their files, without interrupting anyone. Returns a summary line. */
export async function takeBackup({ client, files, target, takenAt, progress, signal }: BackupParts): Promise<string> {
  let needs = 'the backup needs more';
  let archive: ArchiveWriter | undefined;
  try {
    archive = await createArchive(target, takenAt, signal);
    await applySettings(client);
    await holdBackupLock(client, () => void progress('Waiting for another backup to end'));
    const tables = await beginSnapshot(client);
    if (!tables.some((table) => tableName(table) === 'public.migrations'))
      throw new BackupError('The database holds no tables of Callout.');
    const versions = await readVersions(client);
    const totals = await readFileTotals(client);
    const size = fileSizeText((await readDatabaseSize(client)) + totals.bytes);
    needs = `database and files take ${size} before compression`;
    await progress(`Backing up ${countText(tables.length, 'table')} and ${countText(totals.count, 'file')}, ${size}, to ${target}`);
    const listed = tables.map(({ schema, name, columns }) => ({ schema, name, columns }));
    const about = { format: FORMAT, version: serverPackage.version, taken_at: takenAt.toISOString() } as const;
    const manifest: Manifest = { ...about, ...versions, tables: listed };
    await archive.add(MANIFEST_NAME, Buffer.from(JSON.stringify(manifest)));
    const rows = await writeRows(archive, client, tables, progress);
    const { written, missing } = await writeFiles(archive, client, files, totals, progress);
    const archiveSize = await archive.finish({ rows, files: written, missing });
    const rowCount = Object.values(rows).reduce((sum, count) => sum + count, 0);
    const lost = missing.length === 0 ? '' : ` ${countText(missing.length, 'file')} had no bytes: see the warnings above.`;
    return `Backed up ${countText(rowCount, 'row')} and ${countText(written.count, 'file')} to ${target} (${fileSizeText(archiveSize)}).${lost}`;
  } catch (error) {
    const explained = await toBackupError(error, dirname(target), needs);
    await archive?.discard();
    throw explained;
  }
}

const CHUNKS_BETWEEN_LINES = 16;

async function writeRows(
  archive: ArchiveWriter,
  client: pg.Client,
  tables: readonly Table[],
  progress: Progress,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [index, table] of tables.entries()) {
    const name = tableName(table);
    const label = `Table ${index + 1} of ${tables.length}: ${name}`;
    let rows = 0;
    let chunks = 0;
    for await (const chunk of chunksOf(readRows(client, table))) {
      chunks += 1;
      rows += countLines(chunk);
      await archive.add(rowsEntry(name, chunks), chunk);
      if (chunks % CHUNKS_BETWEEN_LINES === 0) await progress(`${label}, ${countText(rows, 'row')} so far`);
    }
    counts[name] = rows;
    await progress(`${label}, ${countText(rows, 'row')}`);
  }
  return counts;
}

async function writeFiles(archive: ArchiveWriter, client: pg.Client, store: FileStore, totals: FileTotals, progress: Progress) {
  const missing: string[] = [];
  const written = { count: 0, bytes: 0 };
  const isTime = everyTwentieth(totals.bytes);
  for await (const { company_id, id, size } of readFileRows(client)) {
    const key = `${company_id}/${id}`;
    // Read into memory: files have a size limit, and a tar entry starts with the exact size.
    const stream = await store.open(key);
    const bytes = stream && (await buffer(stream));
    if (!bytes || bytes.length !== size)
      await progress(`Warning: file ${key} ${bytes ? 'has another size than its row says' : 'has no bytes'}`);
    if (!bytes) {
      missing.push(key);
      continue;
    }
    await archive.add(fileEntry(key), bytes);
    written.count += 1;
    written.bytes += bytes.length;
    if (isTime(written.bytes)) await progress(`Files: ${written.count} of ${totals.count}, ${fileSizeText(written.bytes)}`);
  }
  return { missing, written };
}
