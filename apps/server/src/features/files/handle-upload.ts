import { commonErrors, storageErrors } from '@callout/contract/errors';
import { MAX_FILE_BYTES } from '@callout/domain/files/file-limits';
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
import { uploadedFile } from '../../platform/http/upload.ts';
import { createConcurrencyLimit } from '../../platform/limits/concurrency-limit.ts';
import type { Limit } from '../../platform/limits/rate-limit.sql.ts';
import { limitAttempts, network } from '../../platform/limits/rate-limit.ts';

export type UploadParts = Pick<Platform, 'config' | 'files' | 'log' | 'pools'>;

/** More than a crew sends after a day's work, from the van or through the one address of its office. */
const UPLOADS: Limit = { attempts: 200, seconds: 10 * 60 };
const uploadsUnderWay = createConcurrencyLimit({ total: 200, perKey: 10 });
/** Else one sender with many companies could hold every place. */
const uploadsOfNetwork = createConcurrencyLimit({ total: 200, perKey: 20 });
const UNCONFIRMED_QUOTA_BYTES = 100 * 1024 * 1024;
/** What the form around a file takes at most. */
const FORM_BYTES = 1000;

const quotaExceeded = () => failure('QUOTA_EXCEEDED', storageErrors.QUOTA_EXCEEDED.message);

interface UploadWork<Result> {
  /** Under which the file is stored as it is sent. Null for an image: it is made small, so its size says nothing about what is stored. */
  readonly fileId: string | null;
  work(received: ReceivedFile, upload: MultipartFile): Promise<Result>;
}

/** Takes the file of a request in, where there is room for it, and hands it over. What the work does not keep is gone when it ends. */
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

/** Gives the function that leaves again. */
function enterUploadLimits(companyId: string, from: string): () => void {
  const leaveNetwork = uploadsOfNetwork.enter(from);
  const leaveCompany = leaveNetwork && uploadsUnderWay.enter(companyId);
  if (!leaveCompany) {
    leaveNetwork?.();
    throw failure('TOO_MANY_ATTEMPTS', commonErrors.TOO_MANY_ATTEMPTS.message, { retry_after: 5 });
  }
  return () => {
    leaveCompany();
    leaveNetwork();
  };
}

/** What is left of the company's quota; the same upload again takes nothing of it. What is stored meanwhile is counted when this one is. */
function readRemainingQuota({ config, pools }: UploadParts, tenant: Tenant, fileId: string): Promise<number> {
  return readAs(pools.app, tenant, async (scope) =>
    (await readFile(scope, fileId)) ? Number.POSITIVE_INFINITY : quotaOf(scope, config) - (await readFileBytes(scope)),
  );
}

function createSpaceCheck({ config, files, log }: UploadParts, room: number): SpaceCheck {
  return async (bytes, toCome) => {
    if (bytes > room) throw quotaExceeded();
    const free = await files.freeBytes();
    if (free - toCome >= config.minFreeDiskBytes) return;
    log.warn({ part: 'files', free_bytes: free, min_free_bytes: config.minFreeDiskBytes }, 'No files are taken: the disk is nearly full');
    throw failure('DISK_FULL', storageErrors.DISK_FULL.message);
  };
}

/** In the transaction that stores a file, after it is counted. Also over a quota that was lowered, a file may take the place of a larger one. */
export async function refuseOverQuota(scope: TenantScope, { config }: Pick<Platform, 'config'>, addedBytes: number): Promise<void> {
  if (addedBytes > 0 && (await readFileBytes(scope)) > quotaOf(scope, config)) throw quotaExceeded();
}

/** Anybody can sign up again and again: where emails can be confirmed, somebody who has not done so fills no disk. */
function quotaOf({ actor }: TenantScope, { fileQuotaBytes, smtpUrl }: Config): number {
  const isConfirmed = actor.kind !== 'person' || actor.emailVerified || smtpUrl === undefined;
  return isConfirmed ? fileQuotaBytes : Math.min(fileQuotaBytes, UNCONFIRMED_QUOTA_BYTES);
}
