import { notFoundError } from '@callout/contract/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { runTenantQuery, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { findThumbnail, type StoredFile } from '../../platform/files/files.sql.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { openLinkForRequest } from '../../platform/http/public-link.ts';
import { requirePathId } from '../../platform/http/request-session.ts';
import { FILE_NOT_FOUND_MESSAGE, sendPublicFile } from '../files/files.route.ts';
import { findPublicQuoteFile } from './quote-acceptances.sql.ts';
import { PUBLIC_QUOTE_LINK } from './read-public-quote.ts';

const PUBLIC_QUOTE_FILE_LINK = { kind: PUBLIC_QUOTE_LINK.kind, notFound: notFoundError(FILE_NOT_FOUND_MESSAGE) };

export function registerPublicQuoteFileRoutes(app: FastifyInstance, platform: Platform): void {
  const createDownloadHandler =
    (call: string, read: (scope: TenantScope, file: StoredFile) => Promise<StoredFile | null>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const id = requirePathId(request, FILE_NOT_FOUND_MESSAGE);
      const { tenant, recordId } = await openLinkForRequest(request, platform, PUBLIC_QUOTE_FILE_LINK, call);
      const file = await runTenantQuery(platform.pools.app, tenant, async (scope) => {
        const attached = await findPublicQuoteFile(scope, recordId, id);
        return attached && read(scope, attached);
      });
      return sendPublicFile(request, reply, platform, tenant, file);
    };
  app.get(
    '/api/public/quotes/:token/files/:id',
    createDownloadHandler('publicQuotes.file', (_scope, file) => Promise.resolve(file)),
  );
  app.get(
    '/api/public/quotes/:token/files/:id/thumbnail',
    createDownloadHandler('publicQuotes.thumbnail', (scope, { id }) => findThumbnail(scope, id)),
  );
}
