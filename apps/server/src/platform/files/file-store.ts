import { createReadStream, createWriteStream } from 'node:fs';
import { link, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Where the bytes of files are. Small on purpose: a folder today, an S3-compatible store next, no feature changed. */
export interface FileStore {
  /** Takes the bytes in without making them available under the key yet. */
  receive(bytes: Readable): Promise<ReceivedFile>;
  /** Null when there are no bytes under this key. */
  open(key: string): Promise<Readable | null>;
  remove(key: string): Promise<void>;
  /** Everything whose key starts with this company. */
  removeAllOf(companyId: string): Promise<void>;
  /** What came in before this moment and was never kept: its connection broke, or we did. */
  discardOlderThan(moment: Date): Promise<void>;
  /** The keys of what was received before this moment and kept. */
  listOlderThan(moment: Date): AsyncIterable<string>;
  freeBytes(): Promise<number>;
}

export interface ReceivedFile {
  readonly size: number;
  /** The received bytes again, to look at what they are. */
  peek(): Readable;
  /** Makes them available under the key, in place of what was there. May be called again, by a transaction that is made anew. */
  keep(key: string): Promise<void>;
  discard(): Promise<void>;
}

/** Nobody else on this machine reads what people upload. */
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

/** The id of a company, and that of a file of it. */
const KEY = /^[\w-]+(\/[\w-]+)?$/;

export function folderStore(folder: string, newName: () => string): FileStore {
  const kept = join(folder, 'kept');
  const incoming = join(folder, 'incoming');
  const pathOf = (key: string) => {
    // Keys come out of the queue too: nothing that is there leads out of this folder.
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
          // A second name for the same bytes: the first one stays, for a transaction that has to be made anew.
          const second = join(incoming, newName());
          await link(path, second);
          await rename(second, pathOf(key));
          // Between two names of the same bytes a rename does nothing.
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

/** The names of the files in a folder that were last written before this moment. What goes away meanwhile is left out. */
async function olderThan(folder: string, moment: Date): Promise<string[]> {
  const names: string[] = [];
  const entries = await readdir(folder).catch(() => []);
  for (const name of entries) {
    const found = await stat(join(folder, name)).catch(() => null);
    if (found?.isFile() && found.mtime < moment) names.push(name);
  }
  return names;
}
