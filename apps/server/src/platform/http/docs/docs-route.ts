import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { limitPublicCall } from '../../limits/rate-limit.ts';
import { clientIp } from '../client-ip.ts';
import type { Platform } from '../platform.ts';
import { DOCS_CSS, docsPage } from './docs-page.ts';
import { describeApi } from './openapi-document.ts';

/** OpenAPI 3.1 of every call, as JSON and as an HTML page. Built once on first request: it is several hundred kilobytes. */
export function docsRoute(app: FastifyInstance, platform: Pick<Platform, 'pools'>, describe = describeApi): void {
  let built: ReturnType<typeof buildDocs> | undefined;
  const build = () =>
    buildDocs(describe).catch((error: unknown) => {
      // The next request tries again.
      built = undefined;
      throw error;
    });
  const answer = (name: 'json' | 'page') => async (request: FastifyRequest, reply: FastifyReply) => {
    await limitPublicCall(platform.pools.system, clientIp(request), 'docs');
    return sendText(request, reply, (await (built ??= build()))[name]);
  };
  app.get('/api/docs/openapi.json', answer('json'));
  app.get('/api/docs', answer('page'));
  app.get('/api/docs/docs.css', (_request, reply) => reply.type('text/css').send(DOCS_CSS));
}

async function buildDocs(describe: typeof describeApi) {
  const document = await describe();
  return {
    json: await compressText('application/json; charset=utf-8', JSON.stringify(document)),
    page: await compressText('text/html; charset=utf-8', docsPage(document)),
  };
}

interface CompressedText {
  readonly type: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

/** The highest quality takes a second and saves only a tenth. */
const BROTLI = { params: { [zlib.BROTLI_PARAM_QUALITY]: 5 } };

async function compressText(type: string, text: string): Promise<CompressedText> {
  const plain = Buffer.from(text);
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url')}"`;
  return { type, etag, plain, br: await promisify(brotliCompress)(plain, BROTLI), gzip: await promisify(gzip)(plain) };
}

function sendText({ headers }: FastifyRequest, reply: FastifyReply, text: CompressedText): FastifyReply {
  reply.headers({ etag: text.etag, vary: 'accept-encoding', 'cache-control': 'no-cache' });
  const known = headers['if-none-match'] ?? '';
  if (known === '*' || known.includes(text.etag)) return reply.status(304).send();
  const accepted = headers['accept-encoding'] ?? '';
  const encoding = (['br', 'gzip'] as const).find((name) => accepted.includes(name));
  if (encoding) reply.header('content-encoding', encoding);
  return reply.type(text.type).send(encoding ? text[encoding] : text.plain);
}
