import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { idTaken } from '@callout/contract/errors';
import { MAX_FILE_BYTES } from '@callout/domain/files/file-size';
import { ATTACHMENT_TYPES, acceptText, fileTypeOf, IMAGE_TYPES } from '@callout/domain/files/file-types';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { fileTypeFromStream } from 'file-type';
import { changeAs, type Tenant } from '../../platform/db/tenant-scope.ts';
import { failure } from '../../platform/errors/failures.ts';
import { fileKey, type ReceivedFile } from '../../platform/files/file-store.ts';
import { insertFile, readFile, type StoredFile } from '../../platform/files/files.sql.ts';
import { handleUpload, refuseOverQuota, type UploadParts } from './handle-upload.ts';

export const FILE_TOO_LARGE = `File is larger than ${MAX_FILE_BYTES} bytes`;

const NAME_MAX = 200;
const ACCEPTED = [...new Set([...ATTACHMENT_TYPES, ...IMAGE_TYPES])];

/** Old Word files are detected only by their container format. */
const CONTAINERS: Record<string, string> = { 'application/msword': 'application/x-cfb' };

/** Receives the bytes, checks their actual type and keeps them under the id. A repeated upload returns the same file. */
export function receiveFile(platform: UploadParts, tenant: Tenant, id: string, request: FastifyRequest): Promise<StoredFile> {
  const { files, pools } = platform;
  const work = async (received: ReceivedFile, upload: MultipartFile) => {
    // The parser silently truncates a longer file.
    if (upload.file.truncated) throw failure('TOO_LARGE', FILE_TOO_LARGE);
    const file = { id, file_name: nameOf(upload), file_size: received.size, file_type: await typeOf(received, upload) };
    return changeAs(pools.app, tenant, async (scope) => {
      const key = fileKey(tenant.companyId, id);
      const inserted = await insertFile(scope, { ...file, purpose: 'attachment', owner: null });
      if (inserted) {
        await refuseOverQuota(scope, platform, file.file_size);
        await received.keep(key);
        return inserted;
      }
      // A retry of the same upload returns the same file. Different bytes never replace it.
      const stored = await readFile(scope, id);
      if (!stored || !isSame(stored, file)) throw failure('ID_TAKEN', idTaken.ID_TAKEN.message);
      const kept = await files.open(key);
      // A power cut can lose bytes whose row was saved; the client got no response and now sends them again.
      if (!kept) await received.keep(key);
      else if (!(await haveSameBytes(received.peek(), kept))) throw failure('ID_TAKEN', idTaken.ID_TAKEN.message);
      return stored;
    });
  };
  return handleUpload(platform, tenant, request, { fileId: id, work });
}

function nameOf(upload: MultipartFile): string {
  const name = basename(upload.filename.replaceAll('\\', '/'))
    .replace(/\p{Cc}/gu, '')
    .trim();
  return name.slice(-NAME_MAX) || 'file';
}

/** The type in the name must match the bytes. */
async function typeOf(received: ReceivedFile, upload: MultipartFile): Promise<string> {
  const named = fileTypeOf(nameOf(upload), ACCEPTED);
  const bytes = received.peek();
  const found = await fileTypeFromStream(Readable.toWeb(bytes)).finally(() => bytes.destroy());
  if (!named || !found || (found.mime !== named.mime && found.mime !== CONTAINERS[named.mime])) {
    throw failure('UNSUPPORTED_FILE', `File type must be ${acceptText(ACCEPTED).replaceAll(',', ', ')}`);
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
