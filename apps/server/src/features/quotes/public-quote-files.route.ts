import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { openPublicLink } from '../../platform/auth/public-links.sql.ts';
import { readAs, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { failure } from '../../platform/errors/failures.ts';
import { readThumbnail, type StoredFile } from '../../platform/files/files.sql.ts';
import { clientIp } from '../../platform/http/client-ip.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { pathId } from '../../platform/http/request-actor.ts';
import { limitLinkCall } from '../../platform/limits/rate-limit.ts';
import { FILE_NOT_FOUND, sendFile } from '../files/files.route.ts';
import { findLinkedFile } from './accepted-files.ts';

/** The files of a quote and their thumbnails, for whoever has the quote's link. */
export function publicQuoteFileRoutes(app: FastifyInstance, platform: Platform): void {
  const forLinkHolder =
    (call: string, read: (scope: TenantScope, file: StoredFile) => Promise<StoredFile | null>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const id = pathId(request, FILE_NOT_FOUND);
      const { token } = request.params as { token: string };
      const link = await openPublicLink(platform.pools.system, token, 'quote', platform.now().toISOString());
      await limitLinkCall(platform.pools.system, clientIp(request), call, link?.recordId ?? null);
      if (!link) throw failure('NOT_FOUND', FILE_NOT_FOUND);
      const { tenant, recordId } = link;
      const file = await readAs(platform.pools.app, tenant, async (scope) => {
        const attached = await findLinkedFile(scope, recordId, id);
        return attached && read(scope, attached);
      });
      return sendFile(request, reply, platform, tenant.companyId, file);
    };
  app.get(
    '/api/public/quotes/:token/files/:id',
    forLinkHolder('publicQuotes.file', (_scope, file) => Promise.resolve(file)),
  );
  app.get(
    '/api/public/quotes/:token/files/:id/thumbnail',
    forLinkHolder('publicQuotes.thumbnail', (scope, { id }) => readThumbnail(scope, id)),
  );
}
