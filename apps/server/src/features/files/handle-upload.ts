import { storageErrors } from '@callout/contract/errors';
import { MAX_FILE_BYTES } from '@callout/domain/files/file-size';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { runTenantQuery, type Tenant, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { createFailure } from '../../platform/errors/failures.ts';
import type { ReceivedFile } from '../../platform/files/file-store.ts';
import { type FileUsage, findFile, readFileUsage } from '../../platform/files/files.sql.ts';
import { receiveUpload, type SpaceCheck } from '../../platform/files/receive-upload.ts';
import { getClientIp } from '../../platform/http/client-ip.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { createConcurrencyLimit } from '../../platform/limits/concurrency-limit.ts';
import type { RateLimit } from '../../platform/limits/rate-limit.sql.ts';
import { createRateLimitFailure, enforceRateLimit, getNetworkPrefix } from '../../platform/limits/rate-limit.ts';

export type UploadServices = Pick<Platform, 'config' | 'files' | 'log' | 'pools'>;

/** Applies per company and per network. Even a whole crew on one office network uploads fewer files after a day's work. */
const UPLOAD_LIMIT: RateLimit = { attempts: 200, seconds: 10 * 60 };
const companyUploadSlots = createConcurrencyLimit({ total: 200, perKey: 10 });
/** Without this limit, one sender with many companies could take every upload slot. */
const networkUploadSlots = createConcurrencyLimit({ total: 200, perKey: 20 });
const UNCONFIRMED_QUOTA_BYTES = 100 * 1024 * 1024;
/** Without a mail server no one can confirm an address, so the quota of an unconfirmed company grows by this much every day. */
const DAILY_QUOTA_BYTES = 500 * 1024 * 1024;
const MAX_FORM_OVERHEAD_BYTES = 1000;

const createQuotaExceededFailure = () => createFailure('QUOTA_EXCEEDED', storageErrors.QUOTA_EXCEEDED.message);

interface UploadOptions<Result> {
  /** Null if the file will be resized, so that its original size doesn't count against the quota. */
  readonly fileId: string | null;
  processFile(received: ReceivedFile, upload: MultipartFile): Promise<Result>;
}

/** Receives the request's file if there is space and passes it to `processFile`. Discards the file unless `processFile` saves it. */
export async function handleUpload<Result>(
  platform: UploadServices,
  tenant: Tenant,
  request: FastifyRequest,
  { fileId, processFile }: UploadOptions<Result>,
): Promise<Result> {
  const { files, pools } = platform;
  const network = getNetworkPrefix(getClientIp(request));
  const release = acquireUploadSlots(tenant.companyId, network);
  try {
    await enforceRateLimit(pools.system, `uploads ${tenant.companyId}`, UPLOAD_LIMIT);
    await enforceRateLimit(pools.system, `uploads ${network}`, UPLOAD_LIMIT);
    const availableBytes = fileId ? await readRemainingQuotaBytes(platform, tenant, fileId) : Number.POSITIVE_INFINITY;
    const checkSpace = createSpaceCheck(platform, availableBytes);
    const declaredBytes = Math.min(MAX_FILE_BYTES, Number(request.headers['content-length'] ?? 0) - MAX_FORM_OVERHEAD_BYTES);
    await checkSpace(declaredBytes, declaredBytes);
    const upload = await readUploadedFile(request);
    const received = await receiveUpload(files, upload, checkSpace);
    try {
      return await processFile(received, upload);
    } finally {
      await received.discard();
    }
  } finally {
    release();
  }
}

/** Runs `work`, which copies `bytes` bytes of the company's files, under the same limits as an upload of that size. */
export async function runWithinUploadLimits<Result>(
  platform: UploadServices,
  { tenant, ip }: { readonly tenant: Tenant; readonly ip: string },
  bytes: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const { pools } = platform;
  const network = getNetworkPrefix(ip);
  const release = acquireUploadSlots(tenant.companyId, network);
  try {
    await enforceRateLimit(pools.system, `uploads ${tenant.companyId}`, UPLOAD_LIMIT);
    await enforceRateLimit(pools.system, `uploads ${network}`, UPLOAD_LIMIT);
    await createSpaceCheck(platform, await readRemainingQuotaBytes(platform, tenant, null))(bytes, bytes);
    return await work();
  } finally {
    release();
  }
}

function acquireUploadSlots(companyId: string, network: string): () => void {
  const releaseNetwork = networkUploadSlots.tryAcquire(network);
  const releaseCompany = releaseNetwork && companyUploadSlots.tryAcquire(companyId);
  if (!releaseCompany) {
    releaseNetwork?.();
    throw createRateLimitFailure(5);
  }
  return () => {
    releaseCompany();
    releaseNetwork();
  };
}

/** Returns Infinity for a retried upload, which is already stored. Ignores concurrent uploads; `requireWithinQuota` counts them later. */
function readRemainingQuotaBytes({ config, pools }: UploadServices, tenant: Tenant, fileId: string | null): Promise<number> {
  return runTenantQuery(pools.app, tenant, async (scope) => {
    if (fileId && (await findFile(scope, fileId))) return Number.POSITIVE_INFINITY;
    const usage = await readFileUsage(scope);
    return getQuotaBytes(scope, config, usage) - usage.bytes;
  });
}

function createSpaceCheck({ config, files, log }: UploadServices, availableBytes: number): SpaceCheck {
  return async (bytes, pendingBytes) => {
    if (bytes > availableBytes) throw createQuotaExceededFailure();
    const free = await files.freeBytes();
    if (free - pendingBytes >= config.minFreeDiskBytes) return;
    log.warn({ part: 'files', free_bytes: free, min_free_bytes: config.minFreeDiskBytes }, 'Rejected an upload: the disk is nearly full');
    throw createFailure('DISK_FULL', storageErrors.DISK_FULL.message);
  };
}

/** Throws if a file stored in this transaction exceeds the quota. A replacement that isn't larger is allowed even above a lowered quota. */
export async function requireWithinQuota(scope: TenantScope, { config }: Pick<Platform, 'config'>, addedBytes: number): Promise<void> {
  if (addedBytes <= 0) return;
  const usage = await readFileUsage(scope);
  if (usage.bytes > getQuotaBytes(scope, config, usage)) throw createQuotaExceededFailure();
}

/** Gives people with an unconfirmed address a smaller quota, because anyone can sign up repeatedly. */
function getQuotaBytes({ actor }: TenantScope, { fileQuotaBytes, smtpUrl }: Config, { company_age_days }: FileUsage): number {
  if (actor.kind !== 'person' || actor.emailVerified) return fileQuotaBytes;
  const unconfirmedQuota = smtpUrl === undefined ? (company_age_days + 1) * DAILY_QUOTA_BYTES : UNCONFIRMED_QUOTA_BYTES;
  return Math.min(fileQuotaBytes, unconfirmedQuota);
}

async function readUploadedFile(request: FastifyRequest): Promise<MultipartFile> {
  // Treat a parser error like a missing file, because it means that the form is malformed.
  const file = request.isMultipart() ? await request.file().catch(() => undefined) : undefined;
  if (!file) throw createFailure('UNREADABLE', 'Please send one file as multipart form data.');
  return file;
}
