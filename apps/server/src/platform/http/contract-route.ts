import { type AnyProcedure, type AnyRouter, createProcedureClient, isProcedure } from '@orpc/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AnswerVisibility, answerVisibilityOf } from './answer-visibility.ts';
import type { CallContext } from './call-context.ts';
import { clientIp } from './client-ip.ts';
import { toFailure } from './error-reply.ts';
import type { Platform } from './platform.ts';
import { createQueryReader } from './query-input.ts';
import { shownTo } from './request-actor.ts';

/**
 * Mounts every call of the contract as its own route under /api, directly on the procedures: our inputs and
 * outputs are plain JSON and need none of the standard handler's formats.
 */
export function contractRoute(app: FastifyInstance, platform: Platform, router: AnyRouter): void {
  for (const [path, procedure] of proceduresOf(router)) {
    const { method, path: url, successStatus = 200 } = procedure['~orpc'].route;
    if (!method || !url) throw new Error(`The call ${path.join('.')} has no method and path`);
    const inputOf = createInputReader(path.join('.'), procedure);
    const visibility = answerVisibilityOf(procedure);
    const call = createProcedureClient(procedure, { context: (caller: CallContext) => caller, path });
    app.route({
      method,
      url: `/api${url.replace(/\{(\w+)\}/g, ':$1')}`,
      handler: async (request, reply) => {
        const output: unknown = await call(inputOf(request), { context: contextOf(platform, visibility, request, reply) });
        return reply.status(successStatus).headers(ANSWER_HEADERS).send(JSON.stringify(output));
      },
    });
  }
}

/** A call's answer as its route would send it. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Makes a call without input for whoever sends the request, to send its answer along with something else. It is looked up by the first
 * request: a server that never makes it need not have it.
 */
export function answerOf(
  platform: Platform,
  router: AnyRouter,
  name: string,
): (request: FastifyRequest, reply: FastifyReply) => Promise<Answer> {
  let found: ReturnType<typeof findCall> | undefined;
  return async (request, reply) => {
    const { call, visibility } = (found ??= findCall(router, name));
    const context = contextOf(platform, visibility, request, reply);
    try {
      return { status: 200, body: await call(undefined, { context }) };
    } catch (error) {
      const failure = toFailure(error, context.fault);
      return { status: failure.status, body: failure.toJSON() };
    }
  };
}

function findCall(router: AnyRouter, name: string) {
  const [path, procedure] = proceduresOf(router).find(([parts]) => parts.join('.') === name) ?? [];
  if (!path || !procedure) throw new Error(`There is no call ${name}`);
  return {
    call: createProcedureClient(procedure, { context: (caller: CallContext) => caller, path }),
    visibility: answerVisibilityOf(procedure),
  };
}

/** Longer than any browser's: it is stored with the session. */
const MAX_USER_AGENT = 400;
const ANSWER_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };

function proceduresOf(router: AnyRouter, path: readonly string[] = []): [readonly string[], AnyProcedure][] {
  if (isProcedure(router)) return [[path, router]];
  return Object.entries(router).flatMap(([name, part]) => proceduresOf(part as AnyRouter, [...path, name]));
}

/** The input is the query of a GET and the body otherwise. Path parameters win: a call changes the record in its path. */
function createInputReader(name: string, { '~orpc': { route, inputSchema } }: AnyProcedure): (request: FastifyRequest) => unknown {
  if (route.method !== 'GET') return ({ params, body }) => withParams(body ?? {}, params);
  const readQuery = createQueryReader(name, inputSchema);
  return ({ params, query }) => withParams(readQuery(query as Record<string, unknown>), params);
}

function withParams(input: unknown, params: unknown): unknown {
  return isRecord(input) && isRecord(params) ? { ...input, ...params } : input;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function contextOf(platform: Platform, visibility: AnswerVisibility | null, request: FastifyRequest, reply: FastifyReply): CallContext {
  return {
    platform,
    visibility,
    ip: clientIp(request),
    userAgent: (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT),
    sessionToken: platform.sessionCookie.read(request.headers.cookie),
    shownTo: shownTo(request),
    cookies: request.headers.cookie,
    setCookies: (cookies) => void reply.header('set-cookie', cookies),
    clearBrowserCache: () => void reply.header('clear-site-data', '"cache"'),
    fault: (error) => request.log.error({ reqId: request.id, err: error }, 'call failed'),
  };
}
