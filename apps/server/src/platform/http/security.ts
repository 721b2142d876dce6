import helmet from '@fastify/helmet';
import Fastify, { type FastifyInstance } from 'fastify';
import { failure } from '../errors/failures.ts';

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

const READ_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

export async function secure(app: FastifyInstance, options: { appUrl: string }): Promise<void> {
  const headers = await securityHeaders(options.appUrl.startsWith('https://'));
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
  refuseForeignOrigins(app, new URL(options.appUrl).host);
}

/** They are the same on every answer, so helmet is asked once: put together per request they cost more than the call's own code. */
async function securityHeaders(https: boolean): Promise<Record<string, string>> {
  const sample = Fastify();
  await sample.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: CONTENT_POLICY },
    hsts: https,
    crossOriginEmbedderPolicy: false,
    // For browsers and plugins that are long gone: bytes on every answer for nobody.
    dnsPrefetchControl: false,
    ieNoOpen: false,
    originAgentCluster: false,
    permittedCrossDomainPolicies: false,
    xssFilter: false,
    referrerPolicy: { policy: 'same-origin' },
  });
  let headers: Record<string, string> = {};
  sample.get('/', async (_request, reply) => {
    headers = Object.fromEntries(Object.entries(reply.raw.getHeaders()).map(([name, value]) => [name, String(value)]));
    return {};
  });
  await sample.inject('/');
  await sample.close();
  return headers;
}

/** A page elsewhere may not change anything here with the visitor's cookie. */
function refuseForeignOrigins(app: FastifyInstance, appHost: string): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { origin } = request.headers;
    if (origin === undefined || READ_METHODS.has(request.method)) return done();
    const host = URL.parse(origin)?.host;
    const own = host === request.host || host === appHost;
    return done(own ? undefined : failure('FORBIDDEN', 'This request comes from another site.'));
  });
}
