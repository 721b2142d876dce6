import { randomUUID } from 'node:crypto';
import { MAX_FILE_BYTES } from '@callout/domain/files/file-size';
import compress from '@fastify/compress';
import multipart from '@fastify/multipart';
import type { AnyRouter } from '@orpc/server';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Logger } from 'pino';
import { failure } from '../errors/failures.ts';
import { createProxyTrust } from './client-ip.ts';
import { answerOf, contractRoute } from './contract-route.ts';
import { docsRoute } from './docs/docs-route.ts';
import { answerErrors, send } from './error-reply.ts';
import { liveRoute } from './live-route.ts';
import { PUBLIC_PAGES, pageRoute, readablePageUrl } from './page-route.ts';
import type { Platform } from './platform.ts';
import { limitRequests, type RequestLimits } from './request-limits.ts';
import { HEALTH_PATH, refuseForeignRequests, sendSecurityHeaders } from './security.ts';

/** More than any form needs; files are uploaded separately. */
const BODY_LIMIT = 256 * 1024;
const COMPRESS_FROM_BYTES = 1024;

/** A feature's route outside the contract, for binary data. */
export type FeatureRoute = (app: FastifyInstance, platform: Platform) => void;

export interface ServerParts {
  readonly router: AnyRouter;
  readonly uploadRoutes: readonly FeatureRoute[];
  readonly limits: RequestLimits;
}

export async function createServer(platform: Platform, { router, uploadRoutes, limits }: ServerParts): Promise<FastifyInstance> {
  const isTrustedProxy = createProxyTrust(platform.config.trustProxy);
  const logger: FastifyBaseLogger = platform.log;
  const app = Fastify({
    loggerInstance: logger,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: platform.config.trustProxy === 0 ? false : isTrustedProxy,
    requestTimeout: limits.requestMs,
    http: { headersTimeout: limits.headersMs, connectionsCheckingInterval: limits.checkEveryMs },
    bodyLimit: BODY_LIMIT,
    exposeHeadRoutes: false,
    rewriteUrl: ({ url = '/' }) => readablePageUrl(url),
    // A malformed URL of a call is not found.
    frameworkErrors: (_error, _request, reply) => void send(reply, failure('NOT_FOUND', 'Not found.')),
    // Connections with a running call are closed after it.
    forceCloseConnections: 'idle',
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger per request costs more than adding the request id to the few lines that are written.
    childLoggerFactory: (parent) => parent,
  });
  answerErrors(app);
  logAnswers(app, platform.log);
  await sendSecurityHeaders(app, platform);
  limitRequests(app, limits, isTrustedProxy);
  refuseForeignRequests(app, platform);
  await app.register(compress, { threshold: COMPRESS_FROM_BYTES, encodings: ['br', 'gzip'] });
  healthRoute(app, platform);
  liveRoute(app, platform);
  await app.register(async (scope) => {
    await registerUploadParser(scope);
    for (const route of uploadRoutes) route(scope, platform);
  });
  docsRoute(app, platform);
  contractRoute(app, platform, router);
  await pageRoute(app, answerOf(platform, router, 'company.me'));
  return app;
}

/** One line per response with route and duration, never the payload, so there is nothing to redact. */
function logAnswers(app: FastifyInstance, log: Logger): void {
  const answers = log.child({}, { redact: [] });
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { id: reqId, method, routeOptions } = request;
    const path = routeOptions.url?.includes(':token') ? routeOptions.url : withoutToken(request.url.split('?', 1)[0] ?? '');
    if (routeOptions.logLevel === 'warn') return done();
    answers.info({ reqId, method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'answered');
    return done();
  });
}

/** Of the page itself, and of what no route answers. Whoever has the token of a public page can open it. */
const withoutToken = (path: string) => path.replace(LINK, '$1/:token').replaceAll(TOKEN, (text) => (UUID.test(text) ? text : ':token'));
/** Also where a mistyped link has it. */
const TOKEN = /[\w-]{22,}/g;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const LINK = new RegExp(`^(/+(?:${PUBLIC_PAGES.join('|')}|api/+public/+[^/]+))/+[^/]+`);

/** Healthy means that a call could be served right now. */
function healthRoute(app: FastifyInstance, { pools }: Platform): void {
  app.get(HEALTH_PATH, { logLevel: 'warn' }, async (_request, reply) => {
    try {
      await pools.app.query('select 1');
      return { status: 'ok' };
    } catch {
      return reply.status(503).send({ status: 'database unavailable' });
    }
  });
}

/** Lets the routes of this scope receive one file each as multipart form data. */
async function registerUploadParser(scope: FastifyInstance): Promise<void> {
  await scope.register(multipart, { limits: { fileSize: MAX_FILE_BYTES, files: 1, fields: 0, parts: 1 } });
}
