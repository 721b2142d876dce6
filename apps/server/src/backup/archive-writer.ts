import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { syncFolder } from '@callout/embedded-postgres/data-folder';
import { pack } from 'tar-stream';
import { END_NAME, type End, partialName } from './archive-format.ts';
import { BackupError } from './backup-messages.ts';

export interface ArchiveWriter {
  /** Waits for the stream to drain, so that memory stays flat. */
  add(name: string, bytes: Buffer): Promise<void>;
  /** Writes the last entry and renames the archive; returns its size in bytes. */
  finish(end: Omit<End, 'sha256'>): Promise<number>;
  /** Removes the partial archive. */
  discard(): Promise<void>;
}

/** A tar.gz that gets its final name once it is completely on disk. Readable only by its owner: it contains private data. */
export async function createArchive(target: string, takenAt: Date, signal: AbortSignal): Promise<ArchiveWriter> {
  await mkdir(dirname(target), { recursive: true });
  await refuseToOverwrite(target);
  const partial = partialName(target);
  const tar = pack();
  const file = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
  const written = pipeline(Readable.from(tar), createGzip({ level: constants.Z_BEST_SPEED }), file, { signal });
  written.catch(() => undefined);
  const hash = createHash('sha256');

  async function write(name: string, bytes: Buffer): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => {
        const entry = tar.entry({ name, mode: 0o600, mtime: takenAt }, bytes, (error) => (error ? reject(error) : resolve()));
        // The error is also emitted as an event, which would crash the process if unhandled.
        entry.on('error', reject);
      });
    } catch (error) {
      // The disk's error is more useful than that of the interrupted entry.
      await written;
      throw error;
    }
  }

  return {
    add(name, bytes) {
      hash.update(`${name} ${bytes.length}\n`).update(bytes);
      return write(name, bytes);
    },
    async finish(end) {
      const complete: End = { ...end, sha256: hash.digest('hex') };
      await write(END_NAME, Buffer.from(JSON.stringify(complete)));
      tar.finalize();
      await written;
      await nameArchive(partial, target);
      await syncFolder(dirname(target));
      return (await stat(target)).size;
    },
    async discard() {
      tar.destroy();
      await written.catch(() => undefined);
      await rm(partial, { force: true });
    },
  };
}

async function refuseToOverwrite(target: string): Promise<void> {
  const found = await stat(target).catch(() => undefined);
  if (found) throw alreadyExists(target);
}

/** Atomic, and fails when the target has been created in the meantime. */
async function nameArchive(partial: string, target: string): Promise<void> {
  try {
    await link(partial, target);
  } catch {
    // The target exists, or the disk has no hard links, such as a USB stick: then an empty file reserves the name first.
    const reserved = await open(target, 'wx').catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? alreadyExists(target) : error;
    });
    await reserved.close();
    await rename(partial, target);
  }
  await rm(partial, { force: true });
}

const alreadyExists = (target: string) => new BackupError(`${target} already exists: choose another name, nothing is overwritten.`);
