import type { FastifyInstance } from 'fastify';
import type { Platform } from './platform.ts';

export const HEALTH_PATH = '/api/health';

/** Healthy means that a call could be served right now. */
export function healthRoute(app: FastifyInstance, platform: Platform): void {
  app.get(HEALTH_PATH, { logLevel: 'warn' }, async (_request, reply) => {
    try {
      await platform.pools.app.query('select 1');
      return { status: 'ok' };
    } catch {
      return reply.status(503).send({ status: 'database unavailable' });
    }
  });
}
