import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { syncFolder } from '@callout/embedded-postgres/data-folder';
import { pack } from 'tar-stream';
import { type ArchiveTrailer, buildPartialName, TRAILER_NAME } from './archive-format.ts';
import { BackupError } from './backup-messages.ts';

export interface ArchiveWriter {
  /** Adds an entry and waits for the stream to drain, so that memory use stays constant. */
  add(name: string, bytes: Buffer): Promise<void>;
  /** Writes the trailer as the last entry and gives the archive its final path. Returns the archive's size in bytes. */
  finish(trailer: Omit<ArchiveTrailer, 'sha256'>, path?: string): Promise<number>;
  discard(): Promise<void>;
}

/** Creates a writer for a tar.gz archive, which gets its final name once complete. Only the file's owner can read its private data. */
export async function createArchiveWriter(target: string, takenAt: Date, signal: AbortSignal): Promise<ArchiveWriter> {
  await mkdir(dirname(target), { recursive: true });
  await requireUnusedName(target);
  const partial = buildPartialName(target);
  const tar = pack();
  const file = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
  const writing = pipeline(Readable.from(tar), createGzip({ level: constants.Z_BEST_SPEED }), file, { signal });
  writing.catch(() => undefined);
  const hash = createHash('sha256');

  async function writeEntry(name: string, bytes: Buffer): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => {
        const entry = tar.entry({ name, mode: 0o600, mtime: takenAt }, bytes, (error) => (error ? reject(error) : resolve()));
        // The error is also emitted as an event. Without a handler, the event would crash the process.
        entry.on('error', reject);
      });
    } catch (error) {
      // Throws the disk error if there was one, because it explains the failure better than the interrupted entry's error.
      await writing;
      throw error;
    }
  }

  return {
    add(name, bytes) {
      hash.update(`${name} ${bytes.length}\n`).update(bytes);
      return writeEntry(name, bytes);
    },
    async finish(trailer, path = target) {
      const complete: ArchiveTrailer = { ...trailer, sha256: hash.digest('hex') };
      await writeEntry(TRAILER_NAME, Buffer.from(JSON.stringify(complete)));
      tar.finalize();
      await writing;
      await renameWithoutOverwriting(partial, path);
      await syncFolder(dirname(path));
      return (await stat(path)).size;
    },
    async discard() {
      tar.destroy();
      await writing.catch(() => undefined);
      await rm(partial, { force: true });
    },
  };
}

async function requireUnusedName(target: string): Promise<void> {
  const found = await stat(target).catch(() => undefined);
  if (found) throw createAlreadyExistsError(target);
}

/** Renames atomically. Fails if `target` already exists, even if another process created it a moment ago. */
async function renameWithoutOverwriting(partial: string, target: string): Promise<void> {
  try {
    await link(partial, target);
  } catch {
    // Either `target` exists or the disk (such as a USB stick) has no hard links. Creating an empty file shows which, and reserves the name.
    const reserved = await open(target, 'wx').catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? createAlreadyExistsError(target) : error;
    });
    await reserved.close();
    await rename(partial, target);
  }
  await rm(partial, { force: true });
}

const createAlreadyExistsError = (target: string) =>
  new BackupError(`${target} already exists and was not overwritten. Choose another name.`);
