import { createReadStream, createWriteStream } from 'node:fs';
import { link, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Stores file contents. Deliberately small, so that an S3-compatible store can replace the folder without changing a feature. */
export interface FileStore {
  /** Receives the bytes without making them available under the key yet. */
  receive(bytes: Readable): Promise<ReceivedFile>;
  /** Null when there are no bytes under this key. */
  open(key: string): Promise<Readable | null>;
  remove(key: string): Promise<void>;
  /** Everything whose key starts with this company. */
  removeAllOf(companyId: string): Promise<void>;
  /** Removes uploads from before this time that were never kept, because the connection or the server failed. */
  discardOlderThan(moment: Date): Promise<void>;
  /** The keys of kept files received before this time. */
  listOlderThan(moment: Date): AsyncIterable<string>;
  freeBytes(): Promise<number>;
}

export interface ReceivedFile {
  readonly size: number;
  /** Reads the received bytes, to detect their type. */
  peek(): Readable;
  /** Makes them available under the key, replacing existing content. Safe to call again when a transaction is retried. */
  keep(key: string): Promise<void>;
  discard(): Promise<void>;
}

/** Other accounts on this machine must not read uploads. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

export const fileKey = (companyId: string, id: string) => `${companyId}/${id}`;

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const FILE_KEY = new RegExp(`^(${UUID})/(${UUID})$`);

/** Undefined for anything that `fileKey` did not make. */
export function parseFileKey(key: string): { readonly companyId: string; readonly id: string } | undefined {
  const [, companyId, id] = FILE_KEY.exec(key) ?? [];
  return companyId && id ? { companyId, id } : undefined;
}

/** A company id and a file id. */
const KEY = /^[\w-]+(\/[\w-]+)?$/;

export function folderStore(folder: string, newName: () => string): FileStore {
  const kept = join(folder, 'kept');
  const incoming = join(folder, 'incoming');
  const pathOf = (key: string) => {
    // Keys also come from the queue, so they are checked: none may lead outside this folder.
    if (!KEY.test(key)) throw new Error('This is not the key of a file or a company');
    return join(kept, key);
  };
  const makeFolder = (path: string) => mkdir(path, { recursive: true, mode: FOLDER_MODE });
  return {
    async receive(bytes) {
      const path = join(incoming, newName());
      await makeFolder(incoming);
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
        async keep(key) {
          await makeFolder(dirname(pathOf(key)));
          // A hard link: the received file stays, in case the transaction is retried.
          const second = join(incoming, newName());
          await link(path, second);
          await rename(second, pathOf(key));
          // Renaming one hard link over another of the same file does nothing.
          await rm(second, { force: true });
        },
      };
    },
    async open(key) {
      try {
        return (await open(pathOf(key))).createReadStream();
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
        throw error;
      }
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    removeAllOf: (companyId) => rm(pathOf(companyId), { recursive: true, force: true }),
    async discardOlderThan(moment) {
      await makeFolder(incoming);
      for (const name of await olderThan(incoming, moment)) await rm(join(incoming, name), { force: true });
    },
    async *listOlderThan(moment) {
      await makeFolder(kept);
      for (const companyId of await readdir(kept)) {
        for (const id of await olderThan(join(kept, companyId), moment)) yield fileKey(companyId, id);
      }
    },
    async freeBytes() {
      await makeFolder(folder);
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    },
  };
}

/** The names of files in a folder last written before this time. Files deleted in the meantime are skipped. */
async function olderThan(folder: string, moment: Date): Promise<string[]> {
  const names: string[] = [];
  const entries = await readdir(folder).catch(() => []);
  for (const name of entries) {
    const found = await stat(join(folder, name)).catch(() => null);
    if (found?.isFile() && found.mtime < moment) names.push(name);
  }
  return names;
}
