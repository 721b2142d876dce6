import { randomUUID } from 'node:crypto';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { type CommandLocks, runTenantTransaction, type Tenant, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { buildFileKey, type ReceivedFile } from '../../platform/files/file-store.ts';
import { deleteFile, insertFile } from '../../platform/files/files.sql.ts';
import type { FileOwner } from '../../platform/files/files.table.ts';
import { type ImageKind, resizeImage } from '../../platform/files/resize-image.ts';
import { type RateLimit, refundAttempt } from '../../platform/limits/rate-limit.sql.ts';
import { enforceRateLimit } from '../../platform/limits/rate-limit.ts';
import { handleUpload, requireWithinQuota, type UploadServices } from './handle-upload.ts';
import { removeFileTask } from './remove-files.ts';

const IMAGE_URL_PREFIX = '/api/images/';

const HOUR_SECONDS = 60 * 60;
/** Counts only stored images, so that failed uploads don't use up the company's limit. */
const COMPANY_IMAGE_LIMIT: RateLimit = { attempts: 60, seconds: HOUR_SECONDS };
/** Limits how often a person can upload their own avatar. Failed attempts count too, because decoding those images costs as much. */
export const PERSON_IMAGE_LIMIT: RateLimit = { attempts: 10, seconds: HOUR_SECONDS };

export interface ImageUpload {
  readonly kind: ImageKind;
  readonly owner: FileOwner;
  readonly locks?: CommandLocks;
  /** Saves the image's URL, in the transaction that stores the image, and returns the previous URL. */
  attach(scope: TenantScope, url: string): Promise<string | null>;
}

/** Resizes the request's image, stores it under a new URL and removes the previous image. Returns the new URL. */
export async function receiveImage(
  platform: UploadServices,
  tenant: Tenant,
  request: FastifyRequest,
  { kind, owner, locks, attach }: ImageUpload,
): Promise<string> {
  const { files, pools } = platform;
  const limitKey = `images ${tenant.companyId}`;
  await enforceRateLimit(pools.system, limitKey, COMPANY_IMAGE_LIMIT);
  const id = randomUUID();
  const url = `${IMAGE_URL_PREFIX}${id}`;
  const processFile = async (received: ReceivedFile, upload: MultipartFile) => {
    const image = await resizeImage(files, tenant.companyId, received, { kind, isTruncated: upload.file.truncated });
    const file = { id, file_name: kind.purpose, file_size: image.size, file_type: kind.file_type, purpose: kind.purpose, owner };
    const store = async (scope: TenantScope) => {
      const previousUrl = await attach(scope, url);
      await insertFile(scope, file);
      const freedBytes = await removeImage(scope, previousUrl);
      await requireWithinQuota(scope, platform, image.size - freedBytes);
      // If the commit fails after the bytes are saved, the sweep removes them.
      await image.saveAs(buildFileKey(tenant.companyId, id));
    };
    try {
      await image.transfer(tenant.companyId);
      await runTenantTransaction(pools.app, tenant, store, locks);
    } finally {
      await image.discard();
    }
  };
  await handleUpload(platform, tenant, request, { fileId: null, processFile }).catch(async (error: unknown) => {
    await refundAttempt(pools.system, limitKey);
    throw error;
  });
  return url;
}

/** Deletes the image's row now and its bytes after the transaction commits. Returns the image's size in bytes, or 0 if there is none. */
export async function removeImage(scope: TenantScope, url: string | null): Promise<number> {
  if (!url?.startsWith(IMAGE_URL_PREFIX)) return 0;
  const id = url.slice(IMAGE_URL_PREFIX.length);
  const bytes = await deleteFile(scope, id);
  if (bytes === null) return 0;
  await removeFileTask.queue(scope, { key: buildFileKey(scope.companyId, id) });
  return bytes;
}
