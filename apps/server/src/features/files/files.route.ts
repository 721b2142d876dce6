import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { runTenantQuery, type Tenant, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { createFailure } from '../../platform/errors/failures.ts';
import { buildFileKey, getCompanyId } from '../../platform/files/file-store.ts';
import { findFile, findPublicImage, findThumbnail, type StoredFile } from '../../platform/files/files.sql.ts';
import { getClientIp } from '../../platform/http/client-ip.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { requirePathId, requireTenant } from '../../platform/http/request-session.ts';
import { createFairQueue } from '../../platform/limits/fair-queue.ts';
import { getNetworkPrefix } from '../../platform/limits/rate-limit.ts';
import { readPublicCopy } from './public-copy.ts';
import { receiveFile } from './receive-file.ts';

export const FILE_NOT_FOUND_MESSAGE = 'File not found';

/** Receives uploads under client-generated ids, and streams files and thumbnails to members of the company only. */
export function registerFileRoutes(app: FastifyInstance, platform: Platform): void {
  app.put('/api/files/:id', async (request, reply) => {
    const tenant = await requireTenant(request, platform, 'files.add');
    const stored = await receiveFile(platform, tenant, requirePathId(request, FILE_NOT_FOUND_MESSAGE), request);
    return reply.status(201).send({ ...stored, url: `/api/files/${stored.id}` });
  });
  const createDownloadHandler =
    (find: (scope: TenantScope, id: string) => Promise<StoredFile | null>) => async (request: FastifyRequest, reply: FastifyReply) => {
      const tenant = await requireTenant(request, platform, 'work.view');
      const file = await runTenantQuery(platform.pools.app, tenant, (scope) => find(scope, requirePathId(request, FILE_NOT_FOUND_MESSAGE)));
      return sendFile(request, reply, platform, tenant.companyId, file);
    };
  app.get('/api/files/:id', createDownloadHandler(findFile));
  app.get('/api/files/:id/thumbnail', createDownloadHandler(findThumbnail));
  // Logos and avatars are open to anyone with the URL, because public pages and emails show them.
  app.get('/api/images/:id', async (request, reply) => {
    const image = await findPublicImage(platform.pools.system, requirePathId(request, FILE_NOT_FOUND_MESSAGE));
    if (!image) throw createFailure('NOT_FOUND', FILE_NOT_FOUND_MESSAGE);
    const bytes = await openFileBytes(request, platform, buildFileKey(image.company_id, image.id));
    setFileHeaders(reply, image);
    reply.headers({ 'cache-control': 'public, max-age=31536000, immutable', 'cross-origin-resource-policy': 'cross-origin' });
    return reply.send(bytes);
  });
}

/** Sends a file, or redirects to the store if browsers may read from it. The caller checks access first and passes null if the file is missing or hidden from the person. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  platform: Platform,
  companyId: string,
  file: StoredFile | null,
): Promise<FastifyReply> {
  if (!file) throw createFailure('NOT_FOUND', FILE_NOT_FOUND_MESSAGE);
  const key = buildFileKey(companyId, file.id);
  // The bytes under a key never change, so the key is the ETag. Browsers must revalidate each use, so that access is checked again.
  const etag = `"${key}"`;
  if (request.headers['if-none-match'] === etag) return reply.status(304).headers({ etag, 'cache-control': 'private, no-cache' }).send();
  const signedUrl = isReadByScript(request)
    ? null
    : await platform.files.signRead(key, { contentType: file.file_type, contentDisposition: buildDisposition(file, !isDownload(request)) });
  if (signedUrl) return reply.header('cache-control', 'no-store').redirect(signedUrl);
  const bytes = await openFileBytes(request, platform, key);
  reply.headers({ etag, 'cache-control': 'private, no-cache' });
  setFileHeaders(reply, file);
  return reply.send(bytes);
}

/** The page stores thumbnails for work without a connection, but scripts can't read what another origin sends. */
const isReadByScript = ({ headers }: FastifyRequest) => headers['x-callout-client'] !== undefined;

/** A link's `download` attribute has no effect once it redirects to another origin, so such links end with '?download'. */
const isDownload = ({ query }: FastifyRequest) => typeof query === 'object' && query !== null && 'download' in query;

/** Like `sendFile`, but for people outside the company: sends the copies of photos that have no location, camera and author. */
export async function sendPublicFile(
  request: FastifyRequest,
  reply: FastifyReply,
  platform: Platform,
  tenant: Tenant,
  file: StoredFile | null,
): Promise<FastifyReply> {
  return sendFile(request, reply, platform, tenant.companyId, file && (await readPublicCopy(platform, tenant, file)));
}

/** Below the number of sockets to a bucket. A stalled download keeps its slot for up to a minute. */
const downloadQueue = createFairQueue({
  name: 'downloads',
  slots: 90,
  slotsPerGroup: 45,
  slotsPerMember: 20,
  maxWaitingPerKey: 200,
  maxWaitMs: 15_000,
});

/**
 * Opens the file's bytes or throws NOT_FOUND. Call this before sending headers, because missing bytes can't be reported afterwards. The
 * company, and each of its devices, only has a part of the downloads.
 */
async function openFileBytes(request: FastifyRequest, platform: Platform, key: string): Promise<Readable> {
  const device = platform.sessionCookie.readToken(request.headers.cookie) ?? getNetworkPrefix(getClientIp(request));
  const { promise: opened, resolve, reject } = Promise.withResolvers<Readable | null>();
  const download = async () => {
    const bytes = await platform.files.open(key);
    resolve(bytes);
    if (bytes) await finished(bytes).catch(() => undefined);
  };
  downloadQueue.run([getCompanyId(key), device], download).catch(reject);
  const bytes = await opened;
  if (bytes) return bytes;
  request.log.warn({ reqId: request.id, key }, 'File bytes are missing');
  throw createFailure('NOT_FOUND', FILE_NOT_FOUND_MESSAGE);
}

/** Displays images inline and makes all other files downloads, so that no file can run a script on our origin. */
function buildDisposition(file: StoredFile, canDisplay = true): string {
  const disposition = file.file_type.startsWith('image/') && canDisplay ? 'inline' : 'attachment';
  return `${disposition}; filename*=UTF-8''${encodeFileName(file.file_name)}`;
}

function setFileHeaders(reply: FastifyReply, file: StoredFile): void {
  reply
    .type(file.file_type)
    .header('content-length', file.file_size)
    .header('content-disposition', buildDisposition(file))
    .header('content-security-policy', "default-src 'none'; sandbox");
}

/** Also escapes '()* as RFC 8187 requires. `toWellFormed` replaces lone surrogates, because they can't be encoded. */
function encodeFileName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
