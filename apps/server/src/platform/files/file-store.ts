import { createReadStream, createWriteStream } from 'node:fs';
import { link, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Stores file contents. Deliberately small, so that an S3-compatible store can replace the folder without changing any feature. */
export interface FileStore {
  /** Writes the bytes to disk. They have no key until `saveAs` is called. */
  receive(bytes: Readable): Promise<ReceivedFile>;
  /** Returns null if nothing is stored under this key. */
  open(key: string): Promise<Readable | null>;
  remove(key: string): Promise<void>;
  /** Removes all of the company's files. */
  removeCompany(companyId: string): Promise<void>;
  /** Removes uploads older than `time` that were never saved because the connection or the server failed. */
  discardUploadsBefore(time: Date): Promise<void>;
  /** Lists the keys of saved files that were received before `time`. */
  listKeysBefore(time: Date): AsyncIterable<string>;
  freeBytes(): Promise<number>;
}

export interface ReceivedFile {
  readonly size: number;
  /** Reads the received bytes before they are saved, to detect their type. */
  peek(): Readable;
  /** Stores the bytes under the key, replacing any others. Idempotent, so a retried transaction may save the same file again. */
  saveAs(key: string): Promise<void>;
  discard(): Promise<void>;
}

/** Prevents other accounts on this machine from reading uploads. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

export const buildFileKey = (companyId: string, id: string) => `${companyId}/${id}`;

const UUID_PATTERN = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const FILE_KEY_PATTERN = new RegExp(`^(${UUID_PATTERN})/(${UUID_PATTERN})$`);

/** Parses a key that `buildFileKey` built. Returns undefined for any other string. */
export function parseFileKey(key: string): { readonly companyId: string; readonly id: string } | undefined {
  const [, companyId, id] = FILE_KEY_PATTERN.exec(key) ?? [];
  return companyId && id ? { companyId, id } : undefined;
}

/** Matches a company id, optionally followed by a file id. */
const KEY_PATTERN = /^[\w-]+(\/[\w-]+)?$/;

export function createFolderStore(folder: string, createName: () => string): FileStore {
  const savedFolder = join(folder, 'kept');
  const incomingFolder = join(folder, 'incoming');
  const getPath = (key: string) => {
    // Keys also come from the queue, so check that a key can't point outside the folder.
    if (!KEY_PATTERN.test(key)) throw new Error('Not a valid file or company key');
    return join(savedFolder, key);
  };
  const ensureFolder = (path: string) => mkdir(path, { recursive: true, mode: FOLDER_MODE });
  return {
    async receive(bytes) {
      const path = join(incomingFolder, createName());
      await ensureFolder(incomingFolder);
      const target = createWriteStream(path, { flags: 'wx', flush: true, mode: FILE_MODE });
      const discard = () => rm(path, { force: true });
      try {
        await pipeline(bytes, target);
      } catch (error) {
        await discard();
        throw error;
      }
      return {
        size: target.bytesWritten,
        peek: () => createReadStream(path),
        discard,
        async saveAs(key) {
          await ensureFolder(dirname(getPath(key)));
          // A hard link keeps the received file in place, in case the transaction is retried.
          const linkPath = join(incomingFolder, createName());
          await link(path, linkPath);
          await rename(linkPath, getPath(key));
          // Renaming a hard link over another link to the same file does nothing, so remove the leftover link.
          await rm(linkPath, { force: true });
        },
      };
    },
    async open(key) {
      try {
        return (await open(getPath(key))).createReadStream();
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
        throw error;
      }
    },
    remove: (key) => rm(getPath(key), { force: true }),
    removeCompany: (companyId) => rm(getPath(companyId), { recursive: true, force: true }),
    async discardUploadsBefore(time) {
      await ensureFolder(incomingFolder);
      for (const name of await listFilesBefore(incomingFolder, time)) await rm(join(incomingFolder, name), { force: true });
    },
    async *listKeysBefore(time) {
      await ensureFolder(savedFolder);
      for (const companyId of await readdir(savedFolder)) {
        for (const id of await listFilesBefore(join(savedFolder, companyId), time)) yield buildFileKey(companyId, id);
      }
    },
    async freeBytes() {
      await ensureFolder(folder);
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    },
  };
}

/** Lists the files in a folder that were last written before `time`, skipping any that are deleted during the listing. */
async function listFilesBefore(folder: string, time: Date): Promise<string[]> {
  const names: string[] = [];
  const entries = await readdir(folder).catch(() => []);
  for (const name of entries) {
    const stats = await stat(join(folder, name)).catch(() => null);
    if (stats?.isFile() && stats.mtime < time) names.push(name);
  }
  return names;
}
