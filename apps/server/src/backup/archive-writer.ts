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
  /** Waits until there is room for more, so that memory stays flat. */
  add(name: string, bytes: Buffer): Promise<void>;
  /** Writes the last entry and gives the archive its name; its size in bytes. */
  finish(end: Omit<End, 'sha256'>): Promise<number>;
  /** Leaves nothing behind. */
  discard(): Promise<void>;
}

/** A tar.gz that only gets its name once all of it is on the disk. Only its owner may read it: it holds what people keep to themselves. */
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
        // Told twice, the second time as an event that would end the process.
        entry.on('error', reject);
      });
    } catch (error) {
      // The disk's own error tells more than that of the entry which it cut short.
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

/** In one step that fails when the target has appeared meanwhile. */
async function nameArchive(partial: string, target: string): Promise<void> {
  try {
    await link(partial, target);
  } catch {
    // A target that is there, or a disk without hard links, such as a USB stick: there an empty file of that name is reserved first.
    const reserved = await open(target, 'wx').catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? alreadyExists(target) : error;
    });
    await reserved.close();
    await rename(partial, target);
  }
  await rm(partial, { force: true });
}

const alreadyExists = (target: string) => new BackupError(`${target} already exists: choose another name, nothing is overwritten.`);
