import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type FileRestore, type FileStore, FileStoreError, getCompanyId, getSavedPath, SAVED_FOLDER } from './file-store.ts';
import { forEachAtOnce } from './for-each-at-once.ts';
import type { IncomingFile, IncomingFiles } from './incoming-files.ts';

const MAX_PENDING_REQUESTS = 8;
/**
 * Exists until the restored rows are committed, and contains the restore's id. Each restored object carries that id, so that the next
 * restore removes what a killed one has left, and nothing else.
 */
const RESTORE_MARKER = 'restoring';
const RESTORE_ID_HEADER = 'restore';

/** The requests to the bucket that a restore needs. Paths are relative to the store's prefix. */
interface S3Requests {
  readonly incoming: IncomingFiles;
  readonly createName: () => string;
  put(companyId: string, path: string, bytes: Readable, metadata?: Record<string, string>): Promise<void>;
  read(path: string): Promise<Readable | null>;
  findMetadata(path: string): Promise<Readonly<Record<string, string>> | null>;
  remove(paths: readonly string[]): Promise<void>;
  listPages(path: string): AsyncIterable<readonly { readonly path: string }[]>;
}

/** Restores into a bucket, which has no transactions: until the last step, the marker says which objects are not in use. */
export function createS3Restores(requests: S3Requests): Pick<FileStore, 'requireEmpty' | 'startRestore' | 'endKilledRestore'> {
  const { incoming, createName, put, read, findMetadata, remove, listPages } = requests;

  async function readRestoreId(): Promise<string | null> {
    const marker = await read(RESTORE_MARKER);
    return marker && text(marker);
  }

  /** Lists what the restore with this id has saved. Throws if the store contains anything else. */
  async function listRestored(restoreId: string | null): Promise<string[]> {
    const paths: string[] = [];
    for await (const page of listPages(SAVED_FOLDER)) {
      await forEachAtOnce(page, MAX_PENDING_REQUESTS, async ({ path }) => {
        const metadata = restoreId === null ? {} : await findMetadata(path);
        if (metadata && metadata[RESTORE_ID_HEADER] !== restoreId)
          throw new FileStoreError('The bucket in FILES_URL already contains files. Restore into an empty one.');
        paths.push(path);
      });
    }
    return paths;
  }

  async function startRestore(): Promise<FileRestore> {
    await remove(await listRestored(await readRestoreId()));
    const restoreId = createName();
    await put(restoreId, RESTORE_MARKER, Readable.from([restoreId]));
    const pending = new Set<Promise<void>>();
    const failures: Error[] = [];
    const saved: string[] = [];
    let isFinished = false;
    const waitForPending = async (count: number) => {
      while (pending.size > count) await Promise.race(pending);
      if (failures[0]) throw failures[0];
    };
    const sendRestored = async (key: string, file: IncomingFile) => {
      const path = getSavedPath(key);
      try {
        await put(getCompanyId(key), path, file.peek(), { [RESTORE_ID_HEADER]: restoreId });
        saved.push(path);
      } finally {
        await file.discard();
      }
    };
    return {
      async save(key, bytes) {
        const file = await incoming.receive(bytes);
        // Files are sent at the same time, because a request per file would otherwise take hours for a large store.
        const sending = sendRestored(key, file)
          .catch((error: Error) => void failures.push(error))
          .then(() => void pending.delete(sending));
        pending.add(sending);
        await waitForPending(MAX_PENDING_REQUESTS - 1);
        return file.size;
      },
      async finish() {
        await waitForPending(0);
        isFinished = true;
      },
      complete: () => remove([RESTORE_MARKER]),
      async discard() {
        await Promise.all(pending);
        // A commit that failed may have succeeded in the database, and then its files are needed.
        if (isFinished) return;
        await remove(saved);
        await remove([RESTORE_MARKER]);
      },
    };
  }

  return {
    requireEmpty: async () => void (await listRestored(await readRestoreId())),
    startRestore,
    endKilledRestore: () => remove([RESTORE_MARKER]),
  };
}
