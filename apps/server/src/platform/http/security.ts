import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import { failure } from './failures.ts';

/** Nothing from elsewhere, nothing inline: what a customer's text smuggles in cannot run. */
const CONTENT_POLICY = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'manifest-src': ["'self'"],
  'worker-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
};

export async function secure(app: FastifyInstance, options: { appUrl: string }): Promise<void> {
  const https = options.appUrl.startsWith('https://');
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: CONTENT_POLICY },
    hsts: https,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'same-origin' },
  });
  refuseForeignOrigins(app, new URL(options.appUrl).host);
}

/** A page elsewhere may not change anything here with the visitor's cookie. */
function refuseForeignOrigins(app: FastifyInstance, appHost: string): void {
  app.addHook('onRequest', async (request) => {
    const { origin } = request.headers;
    if (origin === undefined || ['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return;
    const host = URL.parse(origin)?.host;
    if (host !== request.host && host !== appHost) throw failure('FORBIDDEN', 'This request comes from another site.');
  });
}
