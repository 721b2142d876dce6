import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A file on the local disk, where its type is detected and its metadata is removed before any store gets it. */
export interface IncomingFile {
  readonly path: string;
  readonly size: number;
  peek(): Readable;
  discard(): Promise<void>;
}

export interface IncomingFiles {
  receive(bytes: Readable): Promise<IncomingFile>;
  /** Returns an unused path in the folder of incoming files. */
  createPath(): string;
  discardBefore(time: Date): Promise<void>;
  freeBytes(): Promise<number>;
}

/** Prevents other accounts on this machine from reading uploads. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

export const ensurePrivateFolder = (path: string) => mkdir(path, { recursive: true, mode: FOLDER_MODE });

export function createIncomingFiles(folder: string, createName: () => string): IncomingFiles {
  const createPath = () => join(folder, createName());
  return {
    createPath,
    async receive(bytes) {
      const path = createPath();
      await ensurePrivateFolder(folder);
      const target = createWriteStream(path, { flags: 'wx', flush: true, mode: FILE_MODE });
      const discard = () => rm(path, { force: true });
      try {
        await pipeline(bytes, target);
      } catch (error) {
        await discard();
        throw error;
      }
      return { path, size: target.bytesWritten, peek: () => createReadStream(path), discard };
    },
    async discardBefore(time) {
      await ensurePrivateFolder(folder);
      for (const name of await listFilesBefore(folder, time)) await rm(join(folder, name), { force: true });
    },
    async freeBytes() {
      await ensurePrivateFolder(folder);
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    },
  };
}

/** Lists the files in a folder that were last written before `time`, skipping any that are deleted during the listing. */
export async function listFilesBefore(folder: string, time: Date): Promise<string[]> {
  const names: string[] = [];
  const entries = await readdir(folder).catch(() => []);
  for (const name of entries) {
    const stats = await stat(join(folder, name)).catch(() => null);
    if (stats?.isFile() && stats.mtime < time) names.push(name);
  }
  return names;
}
