import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { formatFileSize } from '@callout/domain/files/file-size';
import { formatCount, pluralize } from '@callout/domain/text/count-format';
import { HOUR_MS } from '@callout/domain/time/time-units';
import type pg from 'pg';
import { buildFileKey, type FileStore, getCompanyId } from '../platform/files/file-store.ts';
import { BackupError, createProgressThrottle, type ProgressReporter, toBackupError } from './backup-messages.ts';
import { describeLostFiles } from './lost-files.sql.ts';
import { assumeSystemRole, listDeletedFiles, removeDeletedFiles } from './moved-files.sql.ts';
import { type FileRow, readFileTotals, streamFileBatches } from './snapshot.sql.ts';

export interface MoveOptions {
  /** The table owner's connection, used only for this move. The caller closes it. */
  readonly client: pg.Client;
  /** The store that is being left. Nothing in it is changed. */
  readonly source: FileStore;
  readonly target: FileStore;
  readonly startedAt: Date;
  readonly report: ProgressReporter;
  readonly signal: AbortSignal;
}

/** Copying waits mostly for the stores. */
const MAX_COPIES_AT_ONCE = 8;
/** Servers set a file's time by their own clocks. */
const MAX_CLOCK_ERROR_MS = HOUR_MS;

/**
 * 'present' is a file that an upload or an earlier move has written to the target. 'unusable' is one that is missing or damaged, or of which
 * the stores have different versions.
 */
type Outcome = 'copied' | 'present' | 'unusable';
/** Uploads that take longer than this have failed: they may take 20 minutes, and the clocks of servers may differ by an hour. */
const MAX_UPLOAD_AGE_MS = 2 * HOUR_MS;

interface PassResult {
  copied: number;
  present: number;
  copiedBytes: number;
  /** Keys of files that are missing, damaged or different in both stores. */
  readonly unusableKeys: Set<string>;
}

/**
 * Copies every file from `source` to `target` while people work, and compares what was read with what can be read back. Can be stopped and
 * run again. Returns a one-line summary, or throws if a file is missing, damaged or different in both stores.
 */
export async function moveFiles(options: MoveOptions): Promise<string> {
  const { client, target, startedAt, report } = options;
  try {
    // A killed move leaves the copies that it was sending.
    await target.discardUploadsBefore(new Date(startedAt.getTime() - MAX_UPLOAD_AGE_MS));
    await assumeSystemRole(client);
    const totals = await readFileTotals(client);
    await report(`Moving ${pluralize(totals.count, 'file')} (${formatFileSize(totals.bytes)})`);
    const result = await moveBatches(options, totals.count);
    // A server that was restarted late may have added files to the source, in places that the first pass had gone past.
    const since = new Date(startedAt.getTime() - MAX_CLOCK_ERROR_MS);
    for (let lateCount = 1; lateCount > 0; ) {
      const late = await moveBatches(options, totals.count, since);
      lateCount = late.copied;
      result.copied += late.copied;
      result.copiedBytes += late.copiedBytes;
      for (const key of late.unusableKeys) result.unusableKeys.add(key);
    }
    return await summarize(client, result);
  } catch (error) {
    throw await toBackupError(error, '.', 'the files being moved need more');
  }
}

/** Moves all files, or those that were added since a time. */
async function moveBatches(options: MoveOptions, total: number, since?: Date): Promise<PassResult> {
  const { client, target, report, signal } = options;
  const result: PassResult = { copied: 0, present: 0, copiedBytes: 0, unusableKeys: new Set() };
  const shouldReport = createProgressThrottle(total);
  let done = 0;
  for await (const batch of streamFileBatches(client, since)) {
    const outcomes = new Map<FileRow, Outcome>();
    const waiting = batch.values();
    const moveWaiting = async () => {
      for (const file of waiting) {
        signal.throwIfAborted();
        outcomes.set(file, await moveFile(options, file));
        done += 1;
        if (shouldReport(done)) await report(`Files: ${formatCount(done)} of ${formatCount(total)}`);
      }
    };
    await Promise.all(Array.from({ length: MAX_COPIES_AT_ONCE }, moveWaiting));
    // A file may have been deleted while it was copied, and its bytes removed from both stores before the copy was stored.
    const deleted = await listDeletedFiles(client, batch);
    await removeDeletedFiles(client, deleted, (keys) => target.remove(keys));
    for (const file of deleted) outcomes.delete(file);
    for (const [{ company_id, id, size }, outcome] of outcomes) {
      if (outcome === 'unusable') result.unusableKeys.add(buildFileKey(company_id, id));
      else result[outcome] += 1;
      if (outcome === 'copied') result.copiedBytes += size;
    }
  }
  return result;
}

interface Digest {
  readonly sha256: string;
  readonly size: number;
}

async function moveFile({ source, target }: MoveOptions, { company_id, id, size }: FileRow): Promise<Outcome> {
  const key = buildFileKey(company_id, id);
  const targetDigest = await digestStored(target, key);
  const sourceDigest = targetDigest && (await digestStored(source, key));
  if (targetDigest?.size === size) {
    // If both have the right size, nobody knows which one is damaged. Overwriting could destroy the last good copy.
    const isDifferent = sourceDigest?.size === size && sourceDigest.sha256 !== targetDigest.sha256;
    return isDifferent ? 'unusable' : 'present';
  }
  if (sourceDigest && sourceDigest.size !== size) return 'unusable';
  const copied = await copyFile(source, target, key);
  const stored = copied && (await digestStored(target, key));
  return stored?.sha256 === copied?.sha256 && copied?.size === size ? 'copied' : 'unusable';
}

/** Returns the hash of what was read, or null if the source doesn't have the file. */
async function copyFile(source: FileStore, target: FileStore, key: string): Promise<Digest | null> {
  const bytes = await source.open(key);
  if (!bytes) return null;
  const hash = createHash('sha256');
  const received = await target.receive(Readable.from(hashChunks(bytes, hash), { objectMode: false }));
  try {
    await received.transfer(getCompanyId(key));
    await received.saveAs(key);
  } finally {
    await received.discard();
  }
  return { sha256: hash.digest('hex'), size: received.size };
}

async function digestStored(store: FileStore, key: string): Promise<Digest | null> {
  const bytes = await store.open(key);
  if (!bytes) return null;
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of hashChunks(bytes, hash)) size += chunk.length;
  return { sha256: hash.digest('hex'), size };
}

async function* hashChunks(bytes: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}

async function summarize(client: pg.Client, { copied, present, copiedBytes, unusableKeys }: PassResult): Promise<string> {
  const moved = `Copied ${pluralize(copied, 'file')} (${formatFileSize(copiedBytes)}), ${formatCount(present)} already there`;
  if (unusableKeys.size === 0) return `${moved}, 0 missing or damaged. Now remove FILES_FROM_URL from the settings of every server.`;
  const unusable = await describeLostFiles(client, [...unusableKeys], 'missing, damaged or different in both stores');
  throw new BackupError(
    `${moved}, but ${unusable}. Put these files back (if they differ, delete the damaged one), or delete them in Callout, and run this command again.`,
  );
}
