import { createHash, randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { idTakenError } from '@callout/contract/errors';
import { FILE_TOO_LARGE_ERROR, WRONG_FILE_TYPE_ERROR } from '@callout/domain/files/attachment';
import { ATTACHMENT_TYPES, findFileType, isImageMimeType } from '@callout/domain/files/file-types';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { fileTypeFromStream } from 'file-type';
import { runTenantQuery, runTenantTransaction, type Tenant, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { createFailure } from '../../platform/errors/failures.ts';
import { buildFileKey, type ReceivedFile } from '../../platform/files/file-store.ts';
import { deleteFile, findFile, findThumbnail, insertFile, lockFile, type StoredFile } from '../../platform/files/files.sql.ts';
import { createThumbnail } from '../../platform/files/resize-image.ts';
import { handleUpload, requireWithinQuota, type UploadServices } from './handle-upload.ts';

const MAX_NAME_LENGTH = 200;

/** Maps a file type to the container format that is detected in its place. Old Word files, for example, are compound files. */
const CONTAINER_MIME_TYPES: Record<string, string> = { 'application/msword': 'application/x-cfb' };

const IMAGE_MIME_TYPES: ReadonlySet<string> = new Set(ATTACHMENT_TYPES.map(({ mime }) => mime).filter(isImageMimeType));

interface ReceivedUpload {
  readonly file: StoredFile;
  readonly received: ReceivedFile;
  /** Null if the file is not an image or has too many pixels. */
  readonly thumbnail: ReceivedFile | null;
}

/** Checks the file's actual type and stores the file, with a thumbnail for an image. Idempotent: a retry returns the stored file. */
export function receiveFile(platform: UploadServices, tenant: Tenant, id: string, request: FastifyRequest): Promise<StoredFile> {
  const processFile = async (received: ReceivedFile, upload: MultipartFile) => {
    // The parser truncates a file that is too large instead of throwing an error.
    if (upload.file.truncated) throw createFailure('TOO_LARGE', FILE_TOO_LARGE_ERROR);
    return storeFile(platform, tenant, { id, file_name: getFileName(upload), file_type: await detectFileType(received, upload) }, received);
  };
  return handleUpload(platform, tenant, request, { fileId: id, processFile });
}

/** Stores a received file and its thumbnail. The caller must have checked the file's type. */
export async function storeFile(
  platform: UploadServices,
  tenant: Tenant,
  details: Omit<StoredFile, 'file_size'>,
  received: ReceivedFile,
): Promise<StoredFile> {
  const file = { ...details, file_size: received.size };
  const stored = await findIntactFile(platform, tenant, file, received);
  if (stored) return stored;
  const thumbnail = isImageMimeType(file.file_type) ? await createThumbnail(platform.files, tenant.companyId, received) : null;
  try {
    await received.transfer(tenant.companyId);
    return await runTenantTransaction(platform.pools.app, tenant, (scope) => storeFileOnce(scope, platform, { file, received, thumbnail }));
  } finally {
    await thumbnail?.discard();
  }
}

/**
 * Returns the file if an earlier attempt of this upload has stored it with its thumbnail. Throws if the id belongs to other bytes. The store
 * is asked while no connection is held, because it may hang.
 */
async function findIntactFile(
  { pools, files }: UploadServices,
  tenant: Tenant,
  file: StoredFile,
  received: ReceivedFile,
): Promise<StoredFile | null> {
  const found = await runTenantQuery(pools.app, tenant, async (scope) => {
    const stored = await findFile(scope, file.id);
    return stored && { stored, thumbnail: await findThumbnail(scope, file.id) };
  });
  if (!found) return null;
  const storedBytes = await files.open(buildFileKey(tenant.companyId, file.id));
  if (!storedBytes) return null;
  await requireSameFile(found.stored, file, received, storedBytes);
  const { thumbnail } = found;
  const isIntact = thumbnail ? await files.has(buildFileKey(tenant.companyId, thumbnail.id)) : !isImageMimeType(file.file_type);
  return isIntact ? found.stored : null;
}

async function storeFileOnce(scope: TenantScope, platform: UploadServices, upload: ReceivedUpload): Promise<StoredFile> {
  const { file, received, thumbnail } = upload;
  const key = buildFileKey(scope.companyId, file.id);
  const inserted = await insertFile(scope, { ...file, purpose: 'attachment', owner: null });
  if (inserted) {
    const saveThumbnail = await insertThumbnail(scope, file, thumbnail);
    await requireWithinQuota(scope, platform, file.file_size);
    await received.saveAs(key);
    await saveThumbnail();
    return inserted;
  }
  // The id is taken. A retry of the same upload returns the stored file, but different bytes never replace that file.
  const stored = (await lockFile(scope, file.id)) ? await findFile(scope, file.id) : null;
  if (!stored || !hasSameMetadata(stored, file)) throw createFailure('ID_TAKEN', idTakenError.ID_TAKEN.message);
  const storedBytes = await platform.files.open(key);
  // A power cut can lose bytes after their row was committed. The client got no response, so it sends the bytes again.
  if (!storedBytes) await received.saveAs(key);
  else await requireSameFile(stored, file, received, storedBytes);
  await restoreThumbnail(scope, platform, upload);
  return stored;
}

/** Throws if another file has the id. Closes the stored bytes. */
async function requireSameFile(stored: StoredFile, file: StoredFile, received: ReceivedFile, storedBytes: Readable): Promise<void> {
  try {
    if (hasSameMetadata(stored, file) && (await haveSameBytes(received.peek(), storedBytes))) return;
  } finally {
    storedBytes.destroy();
  }
  throw createFailure('ID_TAKEN', idTakenError.ID_TAKEN.message);
}

/** Inserts the thumbnail's row. Call the returned function to save its bytes once the file can no longer be rejected. */
async function insertThumbnail(scope: TenantScope, { id: fileId, file_name }: StoredFile, thumbnail: ReceivedFile | null) {
  if (!thumbnail) return () => Promise.resolve();
  const id = randomUUID();
  await insertFile(scope, {
    id,
    file_name: `${file_name}.webp`,
    file_size: thumbnail.size,
    file_type: 'image/webp',
    purpose: 'thumbnail',
    owner: { kind: 'file', id: fileId },
  });
  return () => thumbnail.saveAs(buildFileKey(scope.companyId, id));
}

/** Replaces a thumbnail if a power cut lost its bytes. The replacement gets a new id, because its size may differ. */
async function restoreThumbnail(scope: TenantScope, { files }: UploadServices, { file, thumbnail }: ReceivedUpload): Promise<void> {
  const stored = await findThumbnail(scope, file.id);
  if (stored && (await files.has(buildFileKey(scope.companyId, stored.id)))) return;
  if (stored) await deleteFile(scope, stored.id);
  const saveThumbnail = await insertThumbnail(scope, file, thumbnail);
  await saveThumbnail();
}

/** Unescapes a file name from a form, in which browsers escape only quotes (%22) and line breaks (%0D, %0A). Removes line breaks. */
const unescapeFileName = (name: string) => name.replaceAll('%22', '"').replaceAll(/%0[DA]/g, '');

function getFileName(upload: MultipartFile): string {
  const name = basename(unescapeFileName(upload.filename).replaceAll('\\', '/'))
    .replace(/\p{Cc}/gu, '')
    .toWellFormed()
    .trim()
    .slice(-MAX_NAME_LENGTH);
  // Cutting a name can split an emoji. PostgreSQL would store the half as another character, and the name wouldn't match on a retry.
  return name.replace(/^[\uDC00-\uDFFF]/, '') || 'file';
}

/**
 * Returns the file's type. Throws unless the file extension matches the type of the bytes. Among images, the bytes decide: phones and
 * chat programs save PNG images under names such as photo.jpg.
 */
async function detectFileType(received: ReceivedFile, upload: MultipartFile): Promise<string> {
  const expected = findFileType(getFileName(upload), ATTACHMENT_TYPES);
  const bytes = received.peek();
  const detected = await fileTypeFromStream(Readable.toWeb(bytes)).finally(() => bytes.destroy());
  if (expected && detected && IMAGE_MIME_TYPES.has(expected.mime) && IMAGE_MIME_TYPES.has(detected.mime)) return detected.mime;
  if (!expected || !detected || (detected.mime !== expected.mime && detected.mime !== CONTAINER_MIME_TYPES[expected.mime])) {
    throw createFailure('UNSUPPORTED_FILE', WRONG_FILE_TYPE_ERROR);
  }
  return expected.mime;
}

function hasSameMetadata(a: StoredFile, b: StoredFile): boolean {
  return a.file_size === b.file_size && a.file_type === b.file_type && a.file_name === b.file_name;
}

async function haveSameBytes(...streams: readonly Readable[]): Promise<boolean> {
  const digests = await Promise.all(
    streams.map(async (stream) => {
      const hash = createHash('sha256');
      await pipeline(stream, hash);
      return hash.digest('hex');
    }),
  );
  return new Set(digests).size === 1;
}
