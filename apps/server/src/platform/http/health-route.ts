import type { FastifyInstance } from 'fastify';
import type { Platform } from './platform.ts';

/** Healthy means: a call could be served now. */
export function healthRoute(app: FastifyInstance, platform: Platform): void {
  app.get('/api/health', { logLevel: 'warn' }, async (_request, reply) => {
    try {
      await platform.pools.app.query('select 1');
      return { status: 'ok' };
    } catch {
      return reply.status(503).send({ status: 'database unavailable' });
    }
  });
}
