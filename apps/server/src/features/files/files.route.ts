import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readAs, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { failure } from '../../platform/errors/failures.ts';
import { fileKey } from '../../platform/files/file-store.ts';
import { readFile, readImage, readThumbnail, type StoredFile } from '../../platform/files/files.sql.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { pathId, requireTenant } from '../../platform/http/request-actor.ts';
import { receiveFile } from './receive-file.ts';

export const FILE_NOT_FOUND = 'File not found';

/** Streams files: PUT under a client-made id, GET (also of an image's thumbnail) for members of the same company. */
export function fileRoutes(app: FastifyInstance, platform: Platform): void {
  app.put('/api/files/:id', async (request, reply) => {
    const tenant = await requireTenant(request, platform, 'files.add');
    const stored = await receiveFile(platform, tenant, pathId(request, FILE_NOT_FOUND), request);
    return reply.status(201).send({ ...stored, url: `/api/files/${stored.id}` });
  });
  const forMembers =
    (find: (scope: TenantScope, id: string) => Promise<StoredFile | null>) => async (request: FastifyRequest, reply: FastifyReply) => {
      const tenant = await requireTenant(request, platform, 'work.view');
      const file = await readAs(platform.pools.app, tenant, (scope) => find(scope, pathId(request, FILE_NOT_FOUND)));
      return sendFile(request, reply, platform, tenant.companyId, file);
    };
  app.get('/api/files/:id', forMembers(readFile));
  app.get('/api/files/:id/thumbnail', forMembers(readThumbnail));
  // Logos and avatars are open to anyone with the URL, because public pages and mails show them.
  app.get('/api/images/:id', async (request, reply) => {
    const image = await readImage(platform.pools.system, pathId(request, FILE_NOT_FOUND));
    if (!image) throw failure('NOT_FOUND', FILE_NOT_FOUND);
    const bytes = await openBytes(request, platform, fileKey(image.company_id, image.id));
    describe(reply, image);
    reply.headers({ 'cache-control': 'public, max-age=31536000, immutable', 'cross-origin-resource-policy': 'cross-origin' });
    return reply.send(bytes);
  });
}

/** To somebody whose access was checked. Null when they may see no such file. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  platform: Platform,
  companyId: string,
  file: StoredFile | null,
): Promise<FastifyReply> {
  if (!file) throw failure('NOT_FOUND', FILE_NOT_FOUND);
  const key = fileKey(companyId, file.id);
  // Cached by the browser, but revalidated, so that access is still checked. The bytes under a key never change.
  const etag = `"${key}"`;
  const isKept = request.headers['if-none-match'] === etag;
  const bytes = isKept ? null : await openBytes(request, platform, key);
  reply.headers({ etag, 'cache-control': 'private, no-cache' });
  if (!bytes) return reply.status(304).send();
  describe(reply, file);
  return reply.send(bytes);
}

/** Before any header is sent: after that the response can no longer report missing bytes. */
async function openBytes(request: FastifyRequest, platform: Platform, key: string): Promise<Readable> {
  const bytes = await platform.files.open(key);
  if (bytes) return bytes;
  request.log.warn({ reqId: request.id, key }, 'the bytes of a file are missing');
  throw failure('NOT_FOUND', FILE_NOT_FOUND);
}

/** Images are shown inline; everything else is a download, so that no file runs on our origin. */
function describe(reply: FastifyReply, file: StoredFile): void {
  const disposition = file.file_type.startsWith('image/') ? 'inline' : 'attachment';
  reply
    .type(file.file_type)
    .header('content-length', file.file_size)
    .header('content-disposition', `${disposition}; filename*=UTF-8''${encodeName(file.file_name)}`)
    .header('content-security-policy', "default-src 'none'; sandbox");
}

/** RFC 8187 also requires escaping these four characters, and a lone surrogate cannot be encoded. */
function encodeName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
