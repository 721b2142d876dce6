import { notFound } from '@callout/contract/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readAs, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { readThumbnail, type StoredFile } from '../../platform/files/files.sql.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { openRequestLink } from '../../platform/http/public-link.ts';
import { pathId } from '../../platform/http/request-actor.ts';
import { FILE_NOT_FOUND, sendFile } from '../files/files.route.ts';
import { findLinkedFile } from './accepted-files.ts';
import { publicQuote } from './read-public-quote.ts';

const publicFile = { kind: publicQuote.kind, notFound: notFound(FILE_NOT_FOUND) };

/** The files of a quote and their thumbnails, for whoever has the quote's link. */
export function publicQuoteFileRoutes(app: FastifyInstance, platform: Platform): void {
  const forLinkHolder =
    (call: string, read: (scope: TenantScope, file: StoredFile) => Promise<StoredFile | null>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const id = pathId(request, FILE_NOT_FOUND);
      const { tenant, recordId } = await openRequestLink(request, platform, publicFile, call);
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
