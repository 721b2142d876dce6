import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
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
import { type FileStore, FileStoreError, getCompanyId, getSavedPath, INCOMING_FOLDER, SAVED_FOLDER } from './file-store.ts';
import { forEachAtOnce } from './for-each-at-once.ts';
import type { IncomingFile, IncomingFiles } from './incoming-files.ts';
import { hasErrorName, runInStore, translateStreamErrors } from './s3-errors.ts';
import { createS3Restores } from './s3-restore.ts';

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
/** Without activity. */
const SOCKET_TIMEOUT_MS = 20_000;
/** Callout also pauses reading while a person's connection is stalled, which `stallTimeoutMs` ends first. */
const DOWNLOAD_SOCKET_TIMEOUT_MS = 70_000;
const REQUEST_TIMEOUT_MS = 60_000;
const MAX_SOCKETS = 100;
/** All attempts together of a request that a person waits for, or that holds a database connection and a lock. */
const REQUEST_DEADLINE_MS = 6_000;
/** The same for deletions. It is shorter than a lock timeout, because they hold the lock that the company's uploads and deletions need. */
const REMOVE_DEADLINE_MS = 3_000;

/** A start waits no longer for a store that doesn't answer. */
const ACCESS_CHECK_TIMEOUT_MS = 5_000;

/** A part is held in memory until the store has it, so that it can be sent again. */
const PART_BYTES = 8 * 1024 * 1024;
/** Larger files are sent before the transaction. A smaller one takes no longer to send than to copy. */
const MAX_DIRECT_BYTES = 256 * 1024;
/** Limits the memory for parts. No company gets more than half of it. */
const uploadQueue = createFairQueue({ name: 'file-uploads', slots: 16, slotsPerGroup: 8, maxWaitingPerKey: 1_000, maxWaitMs: 60_000 });

const SIGNED_URL_SECONDS = 10 * 60;
/** URLs signed within the same window are equal, so that browsers can cache the file. Each is valid for at least half of its lifetime. */
const SIGNING_WINDOW_MS = 5 * MINUTE_MS;

/** Requests that delete files at the same time. One request for many files would need a checksum that differs between services. */
const MAX_PENDING_REMOVALS = 16;

/** Stores files in a bucket of any S3-compatible service. */
export function createS3Store({ bucket, prefix, settings, incoming, createName, now }: S3StoreOptions): FileStore {
  const { s3, signedReads } = settings;
  const client = createClient(s3, SOCKET_TIMEOUT_MS);
  // Stalled downloads keep their sockets, so everything else has its own.
  const downloads = createClient(s3, DOWNLOAD_SOCKET_TIMEOUT_MS);
  const inBucket = (path: string) => ({ Bucket: bucket, Key: prefix + path });

  /** Waits for its turn, so never call this in a transaction. */
  const put = (companyId: string, path: string, bytes: Readable, metadata: Record<string, string> = {}) =>
    uploadQueue.run(companyId, () => {
      const params = { ...inBucket(path), Body: bytes, Metadata: metadata };
      const upload = () => new Upload({ client, params, partSize: PART_BYTES, queueSize: 1 }).done();
      return runInStore(async () => requireSaved(await upload())).finally(() => bytes.destroy());
    });

  async function putSmall(path: string, bytes: Readable): Promise<void> {
    const request = new PutObjectCommand({ ...inBucket(path), Body: await buffer(bytes) });
    await runInStore(() => withDeadline(REQUEST_DEADLINE_MS, async (options) => requireSaved(await client.send(request, options))));
  }

  /** Returns the object's metadata, or null if there is no such object. */
  async function findMetadata(path: string): Promise<Readonly<Record<string, string>> | null> {
    try {
      const request = new HeadObjectCommand(inBucket(path));
      return (await runInStore(() => withDeadline(REQUEST_DEADLINE_MS, (options) => client.send(request, options)))).Metadata ?? {};
    } catch (error) {
      if (hasErrorName(error, 'NotFound', 'NoSuchKey')) return null;
      throw error;
    }
  }

  const has = async (path: string) => (await findMetadata(path)) !== null;

  async function read(path: string): Promise<Readable | null> {
    try {
      const request = new GetObjectCommand(inBucket(path));
      const { Body } = await runInStore(() => withDeadline(REQUEST_DEADLINE_MS, (options) => downloads.send(request, options)));
      return Body instanceof Readable ? translateStreamErrors(Body) : null;
    } catch (error) {
      if (hasErrorName(error, 'NoSuchKey')) return null;
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

  const remove = (paths: readonly string[]) =>
    forEachAtOnce(paths, MAX_PENDING_REMOVALS, async (path) => {
      const request = new DeleteObjectCommand(inBucket(path));
      await runInStore(() => withDeadline(REMOVE_DEADLINE_MS, (options) => client.send(request, options)));
    });

  async function removeBelow(path: string, isDue: (time: Date) => boolean = () => true): Promise<void> {
    // All pages are listed first, because deleting what was listed could confuse the listing of the rest.
    const paths: string[] = [];
    for await (const page of listPages(path)) paths.push(...page.filter(({ time }) => isDue(time)).map((object) => object.path));
    await remove(paths);
  }

  async function copy(from: string, to: string): Promise<void> {
    const request = new CopyObjectCommand({ ...inBucket(to), CopySource: `${bucket}/${prefix}${from}` });
    const send = async (options: RequestOptions) => requireSaved((await client.send(request, options)).CopyObjectResult);
    await runInStore(() => withDeadline(REQUEST_DEADLINE_MS, send));
  }

  const sign = (path: string, headers: { ResponseContentType?: string; ResponseContentDisposition?: string } = {}) => {
    const time = now().getTime();
    const command = new GetObjectCommand({ ...inBucket(path), ...headers, ResponseCacheControl: `private, max-age=${SIGNED_URL_SECONDS}` });
    const signingDate = new Date(time - (time % SIGNING_WINDOW_MS));
    return runInStore(() => getSignedUrl(client, command, { expiresIn: SIGNED_URL_SECONDS, signingDate }));
  };

  function toReceivedFile(file: IncomingFile) {
    let transferred: string | undefined;
    const transfer = async (companyId: string) => {
      if (transferred !== undefined || file.size <= MAX_DIRECT_BYTES) return;
      const path = `${INCOMING_FOLDER}/${createName()}`;
      await put(companyId, path, file.peek());
      transferred = path;
    };
    return {
      ...file,
      transfer,
      async saveAs(key: string) {
        const path = getSavedPath(key);
        await transfer(getCompanyId(key));
        await (transferred === undefined ? putSmall(path, file.peek()) : copy(transferred, path));
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
    open: async (key) => read(getSavedPath(key)),
    has: async (key) => has(getSavedPath(key)),
    async signRead(key, { contentType, contentDisposition }) {
      // A missing file is looked for here, because people should see Callout's message instead of the store's.
      if (!signedReads || !(await has(getSavedPath(key)))) return null;
      return sign(getSavedPath(key), { ResponseContentType: contentType, ResponseContentDisposition: contentDisposition });
    },
    getReadOrigin: async () => (signedReads ? new URL(await sign(SAVED_FOLDER)).origin : null),
    remove: async (keys) => remove(keys.map(getSavedPath)),
    removeCompany: async (companyId) => removeBelow(getSavedPath(companyId)),
    async discardUploadsBefore(time) {
      await incoming.discardBefore(time);
      await removeBelow(INCOMING_FOLDER, (received) => received < time);
    },
    async *listKeysBefore(time) {
      for await (const page of listPages(SAVED_FOLDER)) {
        for (const object of page) if (object.time < time) yield object.path.slice(SAVED_FOLDER.length + 1);
      }
    },
    async requireAccess() {
      const abortSignal = AbortSignal.timeout(ACCESS_CHECK_TIMEOUT_MS);
      await runInStore(() => client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 }), { abortSignal }));
    },
    freeBytes: () => incoming.freeBytes(),
    ...createS3Restores({ incoming, createName, put, read, findMetadata, remove, listPages }),
  };
}

/** Throws if the response doesn't say that something was saved: a proxy in between may answer with a page of its own. */
function requireSaved(result: { readonly ETag?: string | undefined } | undefined): void {
  if (!result?.ETag) throw new FileStoreError('The file store did not confirm that it saved a file. Check S3_ENDPOINT.');
}

type RequestOptions = { readonly abortSignal: AbortSignal };

/** Aborts a request, including its retries, that has no response in time. The body of a response may take longer. */
async function withDeadline<Result>(milliseconds: number, send: (options: RequestOptions) => Promise<Result>): Promise<Result> {
  const aborting = new AbortController();
  const timeout = setTimeout(() => aborting.abort(), milliseconds);
  try {
    return await send({ abortSignal: aborting.signal });
  } finally {
    clearTimeout(timeout);
  }
}

function createClient({ endpoint, region, credentials }: FilesConfig['s3'], socketTimeout: number): S3Client {
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
      socketTimeout,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
      httpsAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
    },
  });
}
