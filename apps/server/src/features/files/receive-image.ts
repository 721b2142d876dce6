import { randomUUID } from 'node:crypto';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { changeAs, type Tenant, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { fileKey, type ReceivedFile } from '../../platform/files/file-store.ts';
import { deleteFile, insertFile } from '../../platform/files/files.sql.ts';
import type { FileOwner } from '../../platform/files/files.table.ts';
import { type ImageKind, smallImage } from '../../platform/files/small-image.ts';
import { type Limit, refundAttempt } from '../../platform/limits/rate-limit.sql.ts';
import { limitAttempts } from '../../platform/limits/rate-limit.ts';
import { handleUpload, refuseOverQuota, type UploadParts } from './handle-upload.ts';
import { removeFile } from './remove-files.ts';

const URL_START = '/api/images/';

const HOUR = 60 * 60;
/** Only images that were stored count, so that nobody uses it up with files that are none. */
const IMAGES_OF_A_COMPANY: Limit = { attempts: 60, seconds: HOUR };
/** Of themselves. Every attempt counts, since reading it takes as long. */
export const IMAGES_OF_A_PERSON: Limit = { attempts: 10, seconds: HOUR };

export interface NewImage {
  readonly kind: ImageKind;
  readonly owner: FileOwner;
  /** Saves the URL in the transaction that stores the image, and returns the URL it replaces. */
  attach(scope: TenantScope, url: string): Promise<string | null>;
}

/** Resizes and stores a request's image under a new URL; the image it replaces is removed. */
export async function receiveImage(
  platform: UploadParts,
  tenant: Tenant,
  request: FastifyRequest,
  { kind, owner, attach }: NewImage,
): Promise<string> {
  const { files, pools } = platform;
  const ofCompany = `images ${tenant.companyId}`;
  await limitAttempts(pools.system, ofCompany, IMAGES_OF_A_COMPANY);
  const id = randomUUID();
  const url = `${URL_START}${id}`;
  const work = async (received: ReceivedFile, upload: MultipartFile) => {
    const image = await smallImage(files, tenant.companyId, received, { kind, isCutOff: upload.file.truncated });
    const file = { id, file_name: kind.purpose, file_size: image.size, file_type: kind.file_type, purpose: kind.purpose, owner };
    try {
      await changeAs(pools.app, tenant, async (scope) => {
        // Lock the company and the record before the file, whose foreign keys lock the uploader's login; any other order could deadlock.
        const before = await attach(scope, url);
        await insertFile(scope, file);
        const freed = await removeImage(scope, before);
        await refuseOverQuota(scope, platform, image.size - freed);
        // If the commit fails after this, the cleanup removes the bytes.
        await image.keep(fileKey(tenant.companyId, id));
      });
    } finally {
      await image.discard();
    }
  };
  await handleUpload(platform, tenant, request, { fileId: null, work }).catch(async (error: unknown) => {
    await refundAttempt(pools.system, ofCompany);
    throw error;
  });
  return url;
}

/** Deletes the row now and the bytes after this transaction commits. Returns its size in bytes. */
export async function removeImage(scope: TenantScope, url: string | null): Promise<number> {
  if (!url?.startsWith(URL_START)) return 0;
  const id = url.slice(URL_START.length);
  const bytes = await deleteFile(scope, id);
  if (bytes === null) return 0;
  await removeFile.later(scope, { key: fileKey(scope.companyId, id) });
  return bytes;
}
