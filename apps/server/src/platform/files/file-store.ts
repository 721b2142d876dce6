import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { MultipartFile } from '@fastify/multipart';
import { failure } from '../errors/failures.ts';

/** Where the bytes of files are. Small on purpose: a folder today, an S3-compatible store next, no feature changed. */
export interface FileStore {
  /** Takes the bytes in without making them available under the key yet. */
  receive(bytes: Readable): Promise<ReceivedFile>;
  /** Null when there are no bytes under this key. */
  open(key: string): Promise<Readable | null>;
  remove(key: string): Promise<void>;
  /** Everything whose key starts with this company. */
  removeAllOf(companyId: string): Promise<void>;
  /** What came in before this moment and was never kept: its line broke, or we did. */
  discardOlderThan(moment: Date): Promise<void>;
}

export interface ReceivedFile {
  readonly size: number;
  /** The received bytes again, to look at what they are. */
  peek(): Readable;
  keep(key: string): Promise<void>;
  discard(): Promise<void>;
}

/** What a request uploads, on disk and not yet kept. */
export function receiveUpload(files: FileStore, upload: MultipartFile): Promise<ReceivedFile> {
  return files.receive(upload.file).catch((error: unknown) => {
    // What the disk refuses is our fault; everything else is a connection that broke off.
    throw error instanceof Error && 'syscall' in error ? error : failure('UNREADABLE', 'The upload was interrupted. Please try again.');
  });
}

export function folderStore(folder: string, newName: () => string): FileStore {
  const pathOf = (key: string) => join(folder, 'kept', key);
  const incoming = join(folder, 'incoming');
  return {
    async receive(bytes) {
      const path = join(incoming, newName());
      await mkdir(incoming, { recursive: true });
      const target = createWriteStream(path, { flags: 'wx', flush: true });
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
          await mkdir(dirname(pathOf(key)), { recursive: true });
          await rename(path, pathOf(key));
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
      await mkdir(incoming, { recursive: true });
      for (const name of await readdir(incoming)) {
        const path = join(incoming, name);
        const { mtime } = await stat(path);
        if (mtime < moment) await rm(path, { force: true });
      }
    },
  };
}
