import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { MAX_FILE_BYTES } from '@callout/domain/files/file-size';
import compress from '@fastify/compress';
import multipart from '@fastify/multipart';
import type { AnyRouter } from '@orpc/server';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Logger } from 'pino';
import { createFailure } from '../errors/failures.ts';
import { createProxyTrust, type ProxyTrust } from './client-ip.ts';
import { createInternalCaller, registerContractRoutes } from './contract-route.ts';
import { registerDocsRoutes } from './docs/docs-route.ts';
import { registerErrorHandler, sendFailure } from './error-response.ts';
import { registerHealthRoutes } from './health-routes.ts';
import { registerLiveRoute } from './live-route.ts';
import { measureRequests } from './measure-requests.ts';
import { PUBLIC_PAGES, registerPageRoutes, sanitizePageUrl } from './page-route.ts';
import type { Platform } from './platform.ts';
import { enforceRequestLimits, type RequestLimits } from './request-limits.ts';
import { registerSecurityHeaders, rejectForeignRequests } from './security.ts';

/** No form needs a larger body. Files are uploaded through their own routes. */
const MAX_BODY_BYTES = 256 * 1024;
const MIN_COMPRESSED_BYTES = 1024;

/** Registers a feature's routes outside the contract, such as uploads and PDF downloads. */
export type RoutePlugin = (app: FastifyInstance, platform: Platform) => void;

export interface ServerOptions {
  readonly router: AnyRouter;
  readonly featureRoutes: readonly RoutePlugin[];
  readonly limits: RequestLimits;
  readonly isShuttingDown?: () => boolean;
}

export async function createServer(
  platform: Platform,
  { router, featureRoutes, limits, isShuttingDown = () => false }: ServerOptions,
): Promise<FastifyInstance> {
  const isTrustedProxy = createProxyTrust(platform.config.trustProxy);
  const logger: FastifyBaseLogger = platform.log;
  const app = Fastify({
    loggerInstance: logger,
    genReqId: (request) => findProxyRequestId(request, isTrustedProxy) ?? createRequestId(),
    requestIdHeader: false,
    trustProxy: platform.config.trustProxy === 0 ? false : isTrustedProxy,
    requestTimeout: limits.requestTimeoutMs,
    connectionTimeout: limits.stallTimeoutMs,
    http: { headersTimeout: limits.headersTimeoutMs, connectionsCheckingInterval: limits.checkIntervalMs },
    bodyLimit: MAX_BODY_BYTES,
    exposeHeadRoutes: false,
    rewriteUrl: ({ url = '/' }) => sanitizePageUrl(url),
    // Malformed API URLs fail as NOT_FOUND.
    frameworkErrors: (_error, _request, reply) => void sendFailure(reply, createFailure('NOT_FOUND', 'Not found.')),
    // Lets running calls finish before their connections are closed.
    forceCloseConnections: 'idle',
    logController: new LogController({ disableRequestLogging: true }),
    // Use the parent logger: adding the request id to the few log lines is cheaper than a child logger per request.
    childLoggerFactory: (parent) => parent,
  });
  registerErrorHandler(app);
  logResponses(app, platform.log);
  measureRequests(app, platform.telemetry, isTrustedProxy);
  await registerSecurityHeaders(app, platform);
  enforceRequestLimits(app, limits, isTrustedProxy);
  rejectForeignRequests(app, platform);
  await app.register(compress, { threshold: MIN_COMPRESSED_BYTES, encodings: ['br', 'gzip'] });
  registerHealthRoutes(app, platform, isShuttingDown);
  registerLiveRoute(app, platform);
  await app.register(async (scope) => {
    await registerUploadParser(scope);
    for (const registerRoute of featureRoutes) registerRoute(scope, platform);
  });
  registerDocsRoutes(app, platform);
  registerContractRoutes(app, platform, router, limits);
  await registerPageRoutes(app, createInternalCaller(platform, router, 'company.me'));
  return app;
}

/** Creates a short id, because people read it to us when something goes wrong. */
const createRequestId = () => randomUUID().slice(-12);

const REQUEST_ID_PATTERN = /^[\w-]{8,64}$/;

/** Returns the id that a trusted proxy gave the request, so that its log and ours agree. Ids of anyone else could be forged. */
function findProxyRequestId({ headers, socket }: IncomingMessage, isTrustedProxy: ProxyTrust): string | undefined {
  const id = headers['x-request-id'];
  const isAccepted = typeof id === 'string' && REQUEST_ID_PATTERN.test(id) && isTrustedProxy(socket.remoteAddress ?? '', 0);
  return isAccepted ? id : undefined;
}

/** Logs one line per response. The line contains no payloads, and tokens are removed from its path. */
function logResponses(app: FastifyInstance, log: Logger): void {
  const accessLog = log.child({}, { redact: [] });
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { id: reqId, method, routeOptions } = request;
    const path = routeOptions.url?.includes(':token') ? routeOptions.url : redactTokens(request.url.split('?', 1)[0] ?? '');
    if (routeOptions.logLevel === 'warn') return done();
    accessLog.info({ reqId, method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'Request completed');
    return done();
  });
}

/** Keeps the tokens of public links out of the log, because anyone who has a token can open its page. */
const redactTokens = (path: string) =>
  path.replace(PUBLIC_LINK_PATTERN, '$1/:token').replaceAll(TOKEN_PATTERN, (text) => (UUID_PATTERN.test(text) ? text : ':token'));
/** Matches tokens anywhere in the path, so that those in a mistyped link are redacted as well. */
const TOKEN_PATTERN = /[\w-]{22,}/g;
const UUID_PATTERN = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const PUBLIC_LINK_PATTERN = new RegExp(`^(/+(?:${PUBLIC_PAGES.join('|')}|api/+public/+[^/]+))/+[^/]+`);

/** Allows routes in this scope to receive a single file as multipart form data. */
async function registerUploadParser(scope: FastifyInstance): Promise<void> {
  await scope.register(multipart, { limits: { fileSize: MAX_FILE_BYTES, files: 1, fields: 0, parts: 1 } });
}
