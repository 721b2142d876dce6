import { createHash, randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { idTaken } from '@callout/contract/errors';
import { FILE_TOO_LARGE, WRONG_FILE_TYPE } from '@callout/domain/files/attachment';
import { ATTACHMENT_TYPES, fileTypeOf, isImage } from '@callout/domain/files/file-types';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { fileTypeFromStream } from 'file-type';
import { changeAs, type Tenant, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { failure } from '../../platform/errors/failures.ts';
import { fileKey, type ReceivedFile } from '../../platform/files/file-store.ts';
import { deleteFile, insertFile, readFile, readThumbnail, type StoredFile } from '../../platform/files/files.sql.ts';
import { makeThumbnail } from '../../platform/files/small-image.ts';
import { handleUpload, refuseOverQuota, type UploadParts } from './handle-upload.ts';

const NAME_MAX = 200;

/** Old Word files are detected only by their container format. */
const CONTAINERS: Record<string, string> = { 'application/msword': 'application/x-cfb' };

interface Arrived {
  readonly file: StoredFile;
  readonly received: ReceivedFile;
  /** Null for what is not an image, or too large a one. */
  readonly thumbnail: ReceivedFile | null;
}

/** Receives the bytes, checks their actual type and keeps them under the id, images with a thumbnail. A repeated upload returns the same file. */
export function receiveFile(platform: UploadParts, tenant: Tenant, id: string, request: FastifyRequest): Promise<StoredFile> {
  const work = async (received: ReceivedFile, upload: MultipartFile) => {
    // The parser silently truncates a longer file.
    if (upload.file.truncated) throw failure('TOO_LARGE', FILE_TOO_LARGE);
    return storeFile(platform, tenant, { id, file_name: nameOf(upload), file_type: await typeOf(received, upload) }, received);
  };
  return handleUpload(platform, tenant, request, { fileId: id, work });
}

/** Keeps received bytes whose type is known. */
export async function storeFile(
  platform: UploadParts,
  tenant: Tenant,
  described: Omit<StoredFile, 'file_size'>,
  received: ReceivedFile,
): Promise<StoredFile> {
  const file = { ...described, file_size: received.size };
  const thumbnail = isImage(file.file_type) ? await makeThumbnail(platform.files, tenant.companyId, received) : null;
  try {
    return await changeAs(platform.pools.app, tenant, (scope) => keepFile(scope, platform, { file, received, thumbnail }));
  } finally {
    await thumbnail?.discard();
  }
}

async function keepFile(scope: TenantScope, platform: UploadParts, arrived: Arrived): Promise<StoredFile> {
  const { file, received, thumbnail } = arrived;
  const key = fileKey(scope.companyId, file.id);
  const inserted = await insertFile(scope, { ...file, purpose: 'attachment', owner: null });
  if (inserted) {
    const keepThumbnail = await insertThumbnail(scope, file, thumbnail);
    await refuseOverQuota(scope, platform, file.file_size);
    await received.keep(key);
    await keepThumbnail();
    return inserted;
  }
  // A retry of the same upload returns the same file. Different bytes never replace it.
  const stored = await readFile(scope, file.id);
  if (!stored || !isSame(stored, file)) throw failure('ID_TAKEN', idTaken.ID_TAKEN.message);
  const kept = await platform.files.open(key);
  // A power cut can lose bytes whose row was saved; the client got no response and now sends them again.
  if (!kept) await received.keep(key);
  else if (!(await haveSameBytes(received.peek(), kept))) throw failure('ID_TAKEN', idTaken.ID_TAKEN.message);
  await restoreThumbnail(scope, platform, arrived);
  return stored;
}

/** Returns what keeps its bytes, once nothing can refuse the file any more. */
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
  return () => thumbnail.keep(fileKey(scope.companyId, id));
}

/** Its bytes can be lost in the same way. Under a new id, because its size may be another one than before. */
async function restoreThumbnail(scope: TenantScope, { files }: UploadParts, { file, thumbnail }: Arrived): Promise<void> {
  const stored = await readThumbnail(scope, file.id);
  const kept = stored && (await files.open(fileKey(scope.companyId, stored.id)));
  kept?.destroy();
  if (kept) return;
  if (stored) await deleteFile(scope, stored.id);
  const keepThumbnail = await insertThumbnail(scope, file, thumbnail);
  await keepThumbnail();
}

/** Browsers send quotes and line ends in a name as %22, %0D and %0A, and nothing else that way. */
const unescapeName = (name: string) => name.replaceAll('%22', '"').replaceAll(/%0[DA]/g, '');

function nameOf(upload: MultipartFile): string {
  const name = basename(unescapeName(upload.filename).replaceAll('\\', '/'))
    .replace(/\p{Cc}/gu, '')
    .toWellFormed()
    .trim()
    .slice(-NAME_MAX);
  // Half an emoji would be stored as something else than it is compared with when it is sent again.
  return name.replace(/^[\uDC00-\uDFFF]/, '') || 'file';
}

/** The type in the name must match the bytes. */
async function typeOf(received: ReceivedFile, upload: MultipartFile): Promise<string> {
  const named = fileTypeOf(nameOf(upload), ATTACHMENT_TYPES);
  const bytes = received.peek();
  const found = await fileTypeFromStream(Readable.toWeb(bytes)).finally(() => bytes.destroy());
  if (!named || !found || (found.mime !== named.mime && found.mime !== CONTAINERS[named.mime])) {
    throw failure('UNSUPPORTED_FILE', WRONG_FILE_TYPE);
  }
  return named.mime;
}

function isSame(a: StoredFile, b: StoredFile): boolean {
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
