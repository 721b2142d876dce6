import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { MINUTE_MS } from '@callout/domain/time/time-units';
import { createFairQueue } from '../limits/fair-queue.ts';
import type { FilesConfig } from './file-settings.ts';
import { type FileRestore, type FileStore, FileStoreError, getSavedPath, INCOMING_FOLDER, SAVED_FOLDER } from './file-store.ts';
import type { IncomingFile, IncomingFiles } from './incoming-files.ts';
import { hasErrorName, runInStore, translateStreamErrors } from './s3-errors.ts';

export interface S3StoreOptions {
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  readonly settings: Pick<FilesConfig, 's3' | 'signedReads'>;
  readonly incoming: IncomingFiles;
  readonly createName: () => string;
  readonly now: () => Date;
}

/** Includes the time to wait for a free socket. */
const CONNECTION_TIMEOUT_MS = 5_000;
/** Without activity. A person with a slow connection reads a file in small steps, so a download may pause. */
const SOCKET_TIMEOUT_MS = 20_000;
const REQUEST_TIMEOUT_MS = 60_000;
const MAX_SOCKETS = 100;
/** All attempts together of a request inside a transaction, which holds a database connection and a lock. */
const TRANSACTION_TIMEOUT_MS = 6_000;

/** A part is held in memory until the store has it, so that it can be sent again. */
const PART_BYTES = 8 * 1024 * 1024;
/** Larger files are sent before the transaction. A smaller one takes no longer to send than to copy. */
const MAX_DIRECT_BYTES = 256 * 1024;
/** Limits the memory for parts. */
const uploadQueue = createFairQueue({ name: 'file-uploads', slots: 16, slotsPerGroup: 16, maxWaitingPerKey: 1_000, maxWaitMs: 60_000 });

const SIGNED_URL_SECONDS = 10 * 60;
/** URLs signed within the same window are equal, so that browsers can cache the file. Each is valid for at least half of its lifetime. */
const SIGNING_WINDOW_MS = 5 * MINUTE_MS;

/** The largest number of keys that one request may delete. */
const MAX_KEYS_PER_REQUEST = 1_000;
const MAX_PENDING_RESTORES = 8;
/** Exists while a restore runs, so that the next one knows that everything in the store comes from a restore that was killed. */
const RESTORE_MARKER = 'restoring';

/** Stores files in a bucket of any S3-compatible service. */
export function createS3Store({ bucket, prefix, settings, incoming, createName, now }: S3StoreOptions): FileStore {
  const { s3, signedReads } = settings;
  const client = createClient(s3);
  const inBucket = (path: string) => ({ Bucket: bucket, Key: prefix + path });
  const getPath = getSavedPath;

  /** Waits for its turn, so never call this in a transaction. */
  const put = (path: string, bytes: Readable) =>
    uploadQueue.run(bucket, () => {
      const params = { ...inBucket(path), Body: bytes };
      return runInStore(() => new Upload({ client, params, partSize: PART_BYTES, queueSize: 1 }).done()).finally(() => bytes.destroy());
    });

  async function putSmall(path: string, bytes: Readable, abortSignal: AbortSignal): Promise<void> {
    const request = new PutObjectCommand({ ...inBucket(path), Body: await buffer(bytes) });
    await runInStore(() => client.send(request, { abortSignal }));
  }

  async function has(path: string): Promise<boolean> {
    try {
      await runInStore(() => client.send(new HeadObjectCommand(inBucket(path))));
      return true;
    } catch (error) {
      if (hasErrorName(error, 'NotFound', 'NoSuchKey')) return false;
      throw error;
    }
  }

  /** Yields the objects below the path, up to a thousand at a time. */
  async function* listPages(path: string) {
    let token: string | undefined;
    do {
      const request = new ListObjectsV2Command({ Bucket: bucket, Prefix: `${prefix}${path}/`, ContinuationToken: token });
      const page = await runInStore(() => client.send(request));
      const objects = page.Contents ?? [];
      yield objects.map(({ Key = '', LastModified }) => ({ path: Key.slice(prefix.length), time: LastModified ?? now() }));
      token = page.NextContinuationToken;
    } while (token !== undefined);
  }

  async function remove(paths: readonly string[]): Promise<void> {
    for (let start = 0; start < paths.length; start += MAX_KEYS_PER_REQUEST) {
      const Objects = paths.slice(start, start + MAX_KEYS_PER_REQUEST).map((path) => ({ Key: prefix + path }));
      const request = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } });
      const { Errors: errors = [] } = await runInStore(() => client.send(request));
      if (errors.length > 0)
        throw new FileStoreError(`The file store did not delete ${errors.length} files (${errors[0]?.Code ?? 'no reason given'}).`);
    }
  }

  async function removeBelow(path: string, isDue: (time: Date) => boolean = () => true): Promise<void> {
    // All pages are listed first, because deleting what was listed could confuse the listing of the rest.
    const paths: string[] = [];
    for await (const page of listPages(path)) paths.push(...page.filter(({ time }) => isDue(time)).map((object) => object.path));
    await remove(paths);
  }

  const copy = (from: string, to: string, abortSignal: AbortSignal) =>
    runInStore(() => client.send(new CopyObjectCommand({ ...inBucket(to), CopySource: `${bucket}/${prefix}${from}` }), { abortSignal }));

  const sign = (path: string, headers: { ResponseContentType?: string; ResponseContentDisposition?: string } = {}) => {
    const time = now().getTime();
    const command = new GetObjectCommand({ ...inBucket(path), ...headers, ResponseCacheControl: `private, max-age=${SIGNED_URL_SECONDS}` });
    const signingDate = new Date(time - (time % SIGNING_WINDOW_MS));
    return runInStore(() => getSignedUrl(client, command, { expiresIn: SIGNED_URL_SECONDS, signingDate }));
  };

  function toReceivedFile(file: IncomingFile) {
    let transferred: string | undefined;
    const transfer = async () => {
      if (transferred !== undefined || file.size <= MAX_DIRECT_BYTES) return;
      const path = `${INCOMING_FOLDER}/${createName()}`;
      await put(path, file.peek());
      transferred = path;
    };
    return {
      ...file,
      transfer,
      async saveAs(key: string) {
        const path = getPath(key);
        await transfer();
        const abortSignal = AbortSignal.timeout(TRANSACTION_TIMEOUT_MS);
        await (transferred === undefined ? putSmall(path, file.peek(), abortSignal) : copy(transferred, path, abortSignal));
      },
      async discard() {
        await file.discard();
        // A failure is not worth an error: the bytes are saved by now, and old ones are discarded every hour.
        if (transferred !== undefined) await remove([transferred]).catch(() => undefined);
        transferred = undefined;
      },
    };
  }

  return {
    receive: async (bytes) => toReceivedFile(await incoming.receive(bytes)),
    async open(key) {
      const path = getPath(key);
      try {
        const { Body } = await runInStore(() => client.send(new GetObjectCommand(inBucket(path))));
        return Body instanceof Readable ? translateStreamErrors(Body) : null;
      } catch (error) {
        if (hasErrorName(error, 'NoSuchKey')) return null;
        throw error;
      }
    },
    has: async (key) => has(getPath(key)),
    async signRead(key, { contentType, contentDisposition }) {
      // A missing file is looked for here, because people should see Callout's message instead of the store's.
      if (!signedReads || !(await has(getPath(key)))) return null;
      return sign(getPath(key), { ResponseContentType: contentType, ResponseContentDisposition: contentDisposition });
    },
    getReadOrigin: async () => (signedReads ? new URL(await sign(RESTORE_MARKER)).origin : null),
    remove: async (keys) => remove(keys.map(getPath)),
    removeCompany: async (companyId) => removeBelow(getPath(companyId)),
    async discardUploadsBefore(time) {
      await incoming.discardBefore(time);
      await removeBelow(INCOMING_FOLDER, (received) => received < time);
    },
    async *listKeysBefore(time) {
      for await (const page of listPages(SAVED_FOLDER)) {
        for (const object of page) if (object.time < time) yield object.path.slice(SAVED_FOLDER.length + 1);
      }
    },
    freeBytes: () => incoming.freeBytes(),
    async requireEmpty() {
      if (await has(RESTORE_MARKER)) return;
      for await (const page of listPages(SAVED_FOLDER)) {
        if (page.length > 0) throw new FileStoreError('The bucket in FILES_URL already contains files. Restore into an empty one.');
      }
    },
    async startRestore(): Promise<FileRestore> {
      await runInStore(() => client.send(new PutObjectCommand({ ...inBucket(RESTORE_MARKER), Body: 'A restore is running.' })));
      await removeBelow(SAVED_FOLDER);
      const pending = new Set<Promise<void>>();
      const failures: Error[] = [];
      let isFinished = false;
      const waitForPending = async (count: number) => {
        while (pending.size > count) await Promise.race(pending);
        if (failures[0]) throw failures[0];
      };
      const sendRestored = async (path: string, file: IncomingFile) => {
        try {
          await put(path, file.peek());
        } finally {
          await file.discard();
        }
      };
      return {
        async save(key, bytes) {
          const path = getPath(key);
          const file = await incoming.receive(bytes);
          // Files are sent at the same time, because a request per file would otherwise take hours for a large store.
          const sending = sendRestored(path, file)
            .catch((error: Error) => void failures.push(error))
            .then(() => void pending.delete(sending));
          pending.add(sending);
          await waitForPending(MAX_PENDING_RESTORES - 1);
          return file.size;
        },
        async finish() {
          await waitForPending(0);
          await remove([RESTORE_MARKER]);
          isFinished = true;
        },
        async discard() {
          await Promise.all(pending);
          // A commit that failed may have succeeded in the database, and then its files are needed.
          if (isFinished) return;
          await removeBelow(SAVED_FOLDER);
          await remove([RESTORE_MARKER]);
        },
      };
    },
  };
}

function createClient({ endpoint, region, credentials }: FilesConfig['s3']): S3Client {
  return new S3Client({
    region,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(credentials && { credentials }),
    maxAttempts: 3,
    // Many S3-compatible services reject the checksums that the client would otherwise add.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
      httpsAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
    },
  });
}
