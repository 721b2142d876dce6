import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { isDatabaseOut } from '../../platform/db/database-errors.ts';
import { changeAs, type Tenant, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { deleteFile, insertFile } from '../../platform/files/files.sql.ts';
import { type ImageKind, smallImage } from '../../platform/files/small-image.ts';
import { uploadedFile } from '../../platform/http/upload.ts';
import { limitAttempts } from '../../platform/limits/rate-limit.ts';
import { defineTask } from '../../platform/queue/task.ts';
import { type FileParts, fileKey } from './receive-file.ts';

const URL_START = '/api/images/';

const IMAGES_OF_A_COMPANY = { attempts: 60, seconds: 60 * 60 };

/**
 * Stores the image of a request, made small, under a new address. In the same transaction `place` puts the address where it belongs
 * and gives back the one it replaces, whose image is then removed.
 */
export async function receiveImage(
  { files, pools }: FileParts,
  tenant: Tenant,
  request: FastifyRequest,
  kind: ImageKind,
  place: (scope: TenantScope, url: string) => Promise<string | null>,
): Promise<string> {
  await limitAttempts(pools.system, `images ${tenant.companyId}`, IMAGES_OF_A_COMPANY);
  const image = await smallImage(files, tenant.companyId, await uploadedFile(request), kind);
  const id = randomUUID();
  const url = `${URL_START}${id}`;
  const key = fileKey(tenant.companyId, id);
  try {
    await changeAs(pools.app, tenant, async (scope) => {
      // Company and place before the file, whose keys hold the uploader's login: in another order two changes could wait for each other.
      const before = await place(scope, url);
      await insertFile(scope, { id, file_name: kind.purpose, file_size: image.size, file_type: kind.file_type }, kind.purpose);
      await removeImage(scope, before);
      await image.keep(key);
    });
  } catch (error) {
    // Of a commit whose answer was lost nobody knows: rather bytes without an image than an image without bytes.
    if (!isDatabaseOut(error)) await files.remove(key);
    throw error;
  } finally {
    await image.discard();
  }
  return url;
}

/** Its row at once, its bytes as soon as this transaction is committed. */
export async function removeImage(scope: TenantScope, url: string | null): Promise<void> {
  if (!url?.startsWith(URL_START)) return;
  const id = url.slice(URL_START.length);
  if (await deleteFile(scope, id)) await removeFile.later(scope, { key: fileKey(scope.companyId, id) });
}

export const removeFile = defineTask<{ key: string }>('remove-file');

/** Of a company that is gone. */
export const removeCompanyFiles = defineTask<{ company_id: string }>('remove-company-files');
