import { storageErrors } from '@callout/contract/errors';
import { MAX_FILE_BYTES } from '@callout/domain/files/file-size';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { readAs, type Tenant, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { failure } from '../../platform/errors/failures.ts';
import type { ReceivedFile } from '../../platform/files/file-store.ts';
import { readFile, readFileBytes } from '../../platform/files/files.sql.ts';
import { receiveUpload, type SpaceCheck } from '../../platform/files/receive-upload.ts';
import { clientIp } from '../../platform/http/client-ip.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { createConcurrencyLimit } from '../../platform/limits/concurrency-limit.ts';
import type { Limit } from '../../platform/limits/rate-limit.sql.ts';
import { limitAttempts, network, tooManyAttempts } from '../../platform/limits/rate-limit.ts';

export type UploadParts = Pick<Platform, 'config' | 'files' | 'log' | 'pools'>;

/** More than a crew uploads after a day's work, even through the office's single IP address. */
const UPLOADS: Limit = { attempts: 200, seconds: 10 * 60 };
const uploadsUnderWay = createConcurrencyLimit({ total: 200, perKey: 10 });
/** Otherwise one sender with many companies could use every slot. */
const uploadsOfNetwork = createConcurrencyLimit({ total: 200, perKey: 20 });
const UNCONFIRMED_QUOTA_BYTES = 100 * 1024 * 1024;
/** The maximum size of the multipart form around a file. */
const FORM_BYTES = 1000;

const quotaExceeded = () => failure('QUOTA_EXCEEDED', storageErrors.QUOTA_EXCEEDED.message);

interface UploadWork<Result> {
  /** The id under which the file is stored unchanged. Null for an image: it is resized, so its upload size does not count against the quota. */
  readonly fileId: string | null;
  work(received: ReceivedFile, upload: MultipartFile): Promise<Result>;
}

/** Receives a request's file if there is space and passes it to `work`. What `work` does not keep is discarded. */
export async function handleUpload<Result>(
  platform: UploadParts,
  tenant: Tenant,
  request: FastifyRequest,
  { fileId, work }: UploadWork<Result>,
): Promise<Result> {
  const { files, pools } = platform;
  const from = network(clientIp(request));
  const leave = enterUploadLimits(tenant.companyId, from);
  try {
    await limitAttempts(pools.system, `uploads ${tenant.companyId}`, UPLOADS);
    await limitAttempts(pools.system, `uploads ${from}`, UPLOADS);
    const room = fileId ? await readRemainingQuota(platform, tenant, fileId) : Number.POSITIVE_INFINITY;
    const checkSpace = createSpaceCheck(platform, room);
    const announced = Math.min(MAX_FILE_BYTES, Number(request.headers['content-length'] ?? 0) - FORM_BYTES);
    await checkSpace(announced, announced);
    const upload = await uploadedFile(request);
    const received = await receiveUpload(files, upload, checkSpace);
    try {
      return await work(received, upload);
    } finally {
      await received.discard();
    }
  } finally {
    leave();
  }
}

/** Copies files of the company, of this many bytes together, under the same limits as an upload of them. */
export async function handleCopying<Result>(
  platform: UploadParts,
  { tenant, ip }: { readonly tenant: Tenant; readonly ip: string },
  bytes: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const { pools } = platform;
  const from = network(ip);
  const leave = enterUploadLimits(tenant.companyId, from);
  try {
    await limitAttempts(pools.system, `uploads ${tenant.companyId}`, UPLOADS);
    await limitAttempts(pools.system, `uploads ${from}`, UPLOADS);
    await createSpaceCheck(platform, await readRemainingQuota(platform, tenant, null))(bytes, bytes);
    return await work();
  } finally {
    leave();
  }
}

/** Returns the release function. */
function enterUploadLimits(companyId: string, from: string): () => void {
  const leaveNetwork = uploadsOfNetwork.enter(from);
  const leaveCompany = leaveNetwork && uploadsUnderWay.enter(companyId);
  if (!leaveCompany) {
    leaveNetwork?.();
    throw tooManyAttempts(5);
  }
  return () => {
    leaveCompany();
    leaveNetwork();
  };
}

/** The company's remaining quota; a repeated upload uses none. Concurrent uploads are counted when this one is stored. */
function readRemainingQuota({ config, pools }: UploadParts, tenant: Tenant, fileId: string | null): Promise<number> {
  return readAs(pools.app, tenant, async (scope) =>
    fileId && (await readFile(scope, fileId)) ? Number.POSITIVE_INFINITY : quotaOf(scope, config) - (await readFileBytes(scope)),
  );
}

function createSpaceCheck({ config, files, log }: UploadParts, room: number): SpaceCheck {
  return async (bytes, toCome) => {
    if (bytes > room) throw quotaExceeded();
    const free = await files.freeBytes();
    if (free - toCome >= config.minFreeDiskBytes) return;
    log.warn({ part: 'files', free_bytes: free, min_free_bytes: config.minFreeDiskBytes }, 'Uploads refused: the disk is nearly full');
    throw failure('DISK_FULL', storageErrors.DISK_FULL.message);
  };
}

/** Call in the transaction that stores the file, after it. Replacing a larger file is allowed even over a lowered quota. */
export async function refuseOverQuota(scope: TenantScope, { config }: Pick<Platform, 'config'>, addedBytes: number): Promise<void> {
  if (addedBytes > 0 && (await readFileBytes(scope)) > quotaOf(scope, config)) throw quotaExceeded();
}

/** Anyone can sign up repeatedly, so unconfirmed people get a small quota where emails can be confirmed. */
function quotaOf({ actor }: TenantScope, { fileQuotaBytes, smtpUrl }: Config): number {
  const isConfirmed = actor.kind !== 'person' || actor.emailVerified || smtpUrl === undefined;
  return isConfirmed ? fileQuotaBytes : Math.min(fileQuotaBytes, UNCONFIRMED_QUOTA_BYTES);
}

async function uploadedFile(request: FastifyRequest): Promise<MultipartFile> {
  // The parser's own errors say what is wrong with the form.
  const file = request.isMultipart() ? await request.file().catch(() => undefined) : undefined;
  if (!file) throw failure('UNREADABLE', 'Please send one file as multipart form data.');
  return file;
}
