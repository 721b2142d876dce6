import type { CallMeta } from '@callout/contract/call';
import { type AnyProcedure, type AnyRouter, createProcedureClient, isProcedure } from '@orpc/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { runUntilDeadline } from '../limits/call-deadline.ts';
import type { CallContext } from './call-context.ts';
import { getClientIp } from './client-ip.ts';
import { readCommandHeaders } from './command-headers.ts';
import { buildErrorBody, normalizeError } from './error-response.ts';
import type { Platform } from './platform.ts';
import { createQueryParser } from './query-parser.ts';
import { hasMatchingEtag, type RenderedPage } from './rendered-pages.ts';
import type { RequestLimits } from './request-limits.ts';
import { getExpectedUserId } from './request-session.ts';
import { createResponseRedactor, type ResponseRedactor } from './response-redactor.ts';

/** Registers each call as a route under /api. Avoids oRPC's HTTP handler, which supports formats that a plain JSON API doesn't need. */
export function registerContractRoutes(
  app: FastifyInstance,
  platform: Platform,
  router: AnyRouter,
  { callDeadlineMs }: Pick<RequestLimits, 'callDeadlineMs'>,
): void {
  for (const [path, procedure] of listProcedures(router)) {
    const { method, path: url, successStatus = 200 } = procedure['~orpc'].route;
    if (!method || !url) throw new Error(`The call ${path.join('.')} has no method or path`);
    const { isSlow } = procedure['~orpc'].meta as CallMeta;
    const name = path.join('.');
    const readInput = createInputReader(name, procedure);
    const redactor = createResponseRedactor(procedure);
    const call = createProcedureClient(procedure, { context: (context: CallContext) => context, path });
    app.route({
      method,
      url: `/api${url.replace(/\{(\w+)\}/g, ':$1')}`,
      config: { call: name },
      handler: async (request, reply) => {
        const context = createCallContext(platform, redactor, request, reply);
        const run = () => call(readInput(request), { context });
        const output: unknown = isSlow ? await run() : await runUntilDeadline(callDeadlineMs - reply.elapsedTime, run);
        const { key, found } = context.page;
        if (found) return sendRenderedPage(request, reply, found);
        if (key !== undefined) return sendRenderedPage(request, reply, platform.publicPages.add(key, output as object));
        return reply.status(successStatus).headers(RESPONSE_HEADERS).send(JSON.stringify(output));
      },
    });
  }
}

/** Lets the browser keep its copy, but ask each time whether it is still current: a link can be revoked, and a document can change. */
function sendRenderedPage(request: FastifyRequest, reply: FastifyReply, { json, etag }: RenderedPage): FastifyReply {
  reply.headers({ ...RESPONSE_HEADERS, 'cache-control': 'private, no-cache', etag });
  return hasMatchingEtag(request.headers['if-none-match'], etag) ? reply.status(304).send() : reply.send(json);
}

/** The status, headers and body that the call's route would send. */
export interface CallResponse {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Creates a function that makes the call `callName`, without input, for a request's sender. Another route can then include the response.
 * The call is looked up lazily, because test servers may not have it.
 */
export function createInternalCaller(
  platform: Platform,
  router: AnyRouter,
  callName: string,
): (request: FastifyRequest, reply: FastifyReply) => Promise<CallResponse> {
  let found: ReturnType<typeof readCall> | undefined;
  return async (request, reply) => {
    const { call, redactor } = (found ??= readCall(router, callName));
    const context = createCallContext(platform, redactor, request, reply);
    try {
      return { status: 200, body: await call(undefined, { context }) };
    } catch (error) {
      const failure = normalizeError(error, context.logFault);
      return { status: failure.status, body: buildErrorBody(failure, request.id) };
    }
  };
}

function readCall(router: AnyRouter, callName: string) {
  const [path, procedure] = listProcedures(router).find(([parts]) => parts.join('.') === callName) ?? [];
  if (!path || !procedure) throw new Error(`Unknown call: ${callName}`);
  return {
    call: createProcedureClient(procedure, { context: (context: CallContext) => context, path }),
    redactor: createResponseRedactor(procedure),
  };
}

/** The longest user agent that is stored with a session. No browser sends a longer one. */
const MAX_USER_AGENT_LENGTH = 400;
const RESPONSE_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };

function listProcedures(router: AnyRouter, path: readonly string[] = []): [readonly string[], AnyProcedure][] {
  if (isProcedure(router)) return [[path, router]];
  return Object.entries(router).flatMap(([name, part]) => listProcedures(part as AnyRouter, [...path, name]));
}

/** Reads a GET's input from its query and any other input from the body. Path parameters win, so a body can't target another record. */
function createInputReader(name: string, { '~orpc': { route, inputSchema } }: AnyProcedure): (request: FastifyRequest) => unknown {
  if (route.method !== 'GET') return ({ params, body }) => withParams(body ?? {}, params);
  const parseQuery = createQueryParser(name, inputSchema);
  return ({ params, query }) => withParams(parseQuery(query as Record<string, unknown>), params);
}

function withParams(input: unknown, params: unknown): unknown {
  return isRecord(input) && isRecord(params) ? { ...input, ...params } : input;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function createCallContext(
  platform: Platform,
  redactor: ResponseRedactor | null,
  request: FastifyRequest,
  reply: FastifyReply,
): CallContext {
  return {
    platform,
    redactor,
    ip: getClientIp(request),
    userAgent: (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH),
    sessionToken: platform.sessionCookie.readToken(request.headers.cookie),
    expectedUserId: getExpectedUserId(request),
    readCommandHeaders: () => readCommandHeaders(request),
    cookieHeader: request.headers.cookie,
    page: {},
    setCookies: (cookies) => void reply.header('set-cookie', cookies),
    clearBrowserCache: () => void reply.header('clear-site-data', '"cache"'),
    logFault: (error) => request.log.error({ reqId: request.id, err: error }, 'Call failed'),
  };
}
