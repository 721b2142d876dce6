import { randomUUID } from 'node:crypto';
import { storageErrors } from '@callout/contract/errors';
import { runTenantQuery, runTenantTransaction, type Tenant, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { createFailure, isFailure } from '../../platform/errors/failures.ts';
import { buildFileKey, type ReceivedFile } from '../../platform/files/file-store.ts';
import { deleteFile, findPublicCopy, insertFile, lockFile, type StoredFile } from '../../platform/files/files.sql.ts';
import { reencodeImage } from '../../platform/files/resize-image.ts';
import { canHaveLocation, stripMetadata, TooManyPartsError } from '../../platform/files/strip-metadata.ts';
import { createFairQueue } from '../../platform/limits/fair-queue.ts';
import { countAttempt, type RateLimit } from '../../platform/limits/rate-limit.sql.ts';
import type { UploadServices } from './handle-upload.ts';

/** Making a copy takes a second of processor time for some photos, so few are made at once. */
const copyQueue = createFairQueue({ name: 'public copies', slots: 2, slotsPerGroup: 1, maxWaitingPerKey: 200, maxWaitMs: 60_000 });
/** Copies that are being made, by the key of their file, so that requests for the same photo share one. */
const pendingCopies = new Map<string, Promise<StoredFile | null>>();
/** A photo that no copy can be made of is not tried at every request. */
const COPY_LIMIT_PER_FILE: RateLimit = { attempts: 3, seconds: 60 * 60 };

/**
 * Returns the file that people outside the company get: for a photo, a stored copy without location, camera and author, which is made at the
 * first request. Returns null if no copy can be made.
 */
export async function readPublicCopy(services: UploadServices, tenant: Tenant, file: StoredFile): Promise<StoredFile | null> {
  if (!canHaveLocation(file.file_type)) return file;
  const stored = await runTenantQuery(services.pools.app, tenant, (scope) => findPublicCopy(scope, file.id));
  // A power cut may have lost its bytes. The store is asked while no connection is held, because it may hang.
  if (stored && (await services.files.has(buildFileKey(tenant.companyId, stored.id)))) return stored;
  const key = buildFileKey(tenant.companyId, file.id);
  const pending = pendingCopies.get(key) ?? createPublicCopy(services, tenant, file, stored?.id).finally(() => pendingCopies.delete(key));
  pendingCopies.set(key, pending);
  return pending;
}

async function createPublicCopy(
  services: UploadServices,
  tenant: Tenant,
  file: StoredFile,
  lostId: string | undefined,
): Promise<StoredFile | null> {
  const { config, files, pools } = services;
  const key = buildFileKey(tenant.companyId, file.id);
  if ((await files.freeBytes()) - file.file_size < config.minFreeDiskBytes) {
    throw createFailure('DISK_FULL', storageErrors.DISK_FULL.message);
  }
  const copy = await copyQueue.run(tenant.companyId, async () => {
    const { waitSeconds } = await countAttempt(pools.system, `public-copy ${key}`, COPY_LIMIT_PER_FILE);
    return waitSeconds === null ? removeMetadata(services, tenant.companyId, file) : null;
  });
  if (!copy) return null;
  try {
    await copy.transfer(tenant.companyId);
    return await runTenantTransaction(pools.app, tenant, (scope) => storePublicCopy(scope, file, copy, lostId));
  } finally {
    await copy.discard();
  }
}

/** Re-encodes an image only if its metadata can't be removed from the bytes. */
async function removeMetadata({ files, log }: UploadServices, companyId: string, file: StoredFile): Promise<ReceivedFile | null> {
  const key = buildFileKey(companyId, file.id);
  const bytes = await files.open(key);
  if (!bytes) {
    log.warn({ part: 'files', key }, 'File bytes are missing');
    return null;
  }
  try {
    const stripped = await files.receive(stripMetadata(bytes, file.file_type));
    if (stripped.size > 0) return stripped;
    await stripped.discard();
  } catch (error) {
    if (!(error instanceof TooManyPartsError)) throw error;
  }
  try {
    return await reencodeImage(files, companyId, file.id);
  } catch (error) {
    if (!isFailure(error) || (error.code !== 'TOO_LARGE' && error.code !== 'UNSUPPORTED_FILE')) throw error;
    log.warn({ part: 'files', key }, 'A damaged image was not shown to the public');
    return null;
  }
}

/** Locks the photo, so that two processes don't both store a copy and the photo isn't deleted in between. */
async function storePublicCopy(scope: TenantScope, file: StoredFile, copy: ReceivedFile, lostId: string | undefined) {
  if (!(await lockFile(scope, file.id))) return null;
  const stored = await findPublicCopy(scope, file.id);
  if (stored && stored.id !== lostId) return stored;
  if (stored) await deleteFile(scope, stored.id);
  const { file_name, file_type } = file;
  const id = randomUUID();
  const owner = { kind: 'file', id: file.id } as const;
  const inserted = await insertFile(scope, { id, file_name, file_type, file_size: copy.size, purpose: 'public_copy', owner });
  await copy.saveAs(buildFileKey(scope.companyId, id));
  return inserted;
}
