import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { enforcePublicCallLimit } from '../../limits/rate-limit.ts';
import { getClientIp } from '../client-ip.ts';
import type { Platform } from '../platform.ts';
import { DOCS_CSS, renderDocsPage } from './docs-page.ts';
import { buildOpenApiDocument } from './openapi-document.ts';

/** Serves the API reference as OpenAPI 3.1 and as HTML. Both are large, so they are built only on the first request. */
export function registerDocsRoutes(app: FastifyInstance, platform: Pick<Platform, 'pools'>, buildDocument = buildOpenApiDocument): void {
  let docs: ReturnType<typeof buildDocs> | undefined;
  const build = () =>
    buildDocs(buildDocument).catch((error: unknown) => {
      // Don't cache a failed build, so that the next request tries again.
      docs = undefined;
      throw error;
    });
  const sendDocs = (format: 'json' | 'page') => async (request: FastifyRequest, reply: FastifyReply) => {
    await enforcePublicCallLimit(platform.pools.system, getClientIp(request), 'docs');
    return sendText(request, reply, (await (docs ??= build()))[format]);
  };
  app.get('/api/docs/openapi.json', sendDocs('json'));
  app.get('/api/docs', sendDocs('page'));
  app.get('/api/docs/docs.css', (_request, reply) => reply.type('text/css').send(DOCS_CSS));
}

async function buildDocs(buildDocument: typeof buildOpenApiDocument) {
  const document = await buildDocument();
  return {
    json: await compressText('application/json; charset=utf-8', JSON.stringify(document)),
    page: await compressText('text/html; charset=utf-8', renderDocsPage(document)),
  };
}

interface CompressedText {
  readonly type: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

/** The maximum quality of 11 would take a second and make the response only a tenth smaller. */
const BROTLI_OPTIONS = { params: { [zlib.BROTLI_PARAM_QUALITY]: 5 } };

async function compressText(type: string, text: string): Promise<CompressedText> {
  const plain = Buffer.from(text);
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url')}"`;
  return { type, etag, plain, br: await promisify(brotliCompress)(plain, BROTLI_OPTIONS), gzip: await promisify(gzip)(plain) };
}

function sendText({ headers }: FastifyRequest, reply: FastifyReply, text: CompressedText): FastifyReply {
  reply.headers({ etag: text.etag, vary: 'accept-encoding', 'cache-control': 'no-cache' });
  const cachedTags = headers['if-none-match'] ?? '';
  if (cachedTags === '*' || cachedTags.includes(text.etag)) return reply.status(304).send();
  const accepted = headers['accept-encoding'] ?? '';
  const encoding = (['br', 'gzip'] as const).find((name) => accepted.includes(name));
  if (encoding) reply.header('content-encoding', encoding);
  return reply.type(text.type).send(encoding ? text[encoding] : text.plain);
}
