import { OpenAPIHandler } from '@orpc/openapi/fastify';
import type { AnyRouter } from '@orpc/server';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../platform.ts';
import type { CallContext } from './call-context.ts';
import { send } from './error-reply.ts';
import { failure } from './failures.ts';

/** Mounts every call of the contract under /api. */
export function contractRoute(app: FastifyInstance, platform: Platform, router: AnyRouter): void {
  const handler = new OpenAPIHandler<CallContext>(router);
  app.all('/api/*', async (request, reply) => {
    const context: CallContext = {
      platform,
      requestId: request.id,
      ip: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
      sessionToken: platform.sessionCookie.read(request.headers.cookie),
      setCookies: (cookies) => void reply.header('set-cookie', cookies),
      fault: (error) => request.log.error({ err: error }, 'call failed'),
    };
    reply.header('cache-control', 'no-store');
    const { matched } = await handler.handle(request, reply, { prefix: '/api', context });
    if (!matched) send(reply, failure('NOT_FOUND', 'There is no such call.'));
    return reply;
  });
}
