import helmet from '@fastify/helmet';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { failure } from '../errors/failures.ts';
import type { Platform } from './platform.ts';

export const HEALTH_PATH = '/api/health';

/** No external or inline code, so that injected text cannot run. */
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

export async function sendSecurityHeaders(app: FastifyInstance, { appUrl }: Pick<Platform, 'appUrl'>): Promise<void> {
  const headers = await securityHeaders(appUrl.startsWith('https://'));
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

/** Refuses requests with a foreign Host and changes requested by other sites. */
export function refuseForeignRequests(app: FastifyInstance, { appUrl, config }: Pick<Platform, 'appUrl' | 'config'>): void {
  if (config.appUrl) refuseForeignHosts(app, new URL(config.appUrl).hostname);
  refuseForeignOrigins(app, new URL(appUrl).host);
}

/** The headers never change, so they are built once: building them per request costs more than a call's own code. */
async function securityHeaders(https: boolean): Promise<Record<string, string>> {
  const sample = Fastify();
  await sample.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: CONTENT_POLICY },
    hsts: https,
    crossOriginEmbedderPolicy: false,
    // Obsolete headers that only add bytes.
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

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
const FOREIGN_HOST = 'This is not where Callout is reached: APP_URL names another host. Behind a proxy, pass the Host header on.';

/** Prevents DNS rebinding. */
function refuseForeignHosts(app: FastifyInstance, appHostname: string): void {
  const ours = new Set([appHostname, ...LOCAL_HOSTS]);
  const isOurs = (host: string) => ours.has(host.replace(/:\d+$/, '').toLowerCase());
  app.addHook('onRequest', (request, _reply, done) => {
    // Health checks may use any host name.
    done(isOurs(request.host) || request.routeOptions.url === HEALTH_PATH ? undefined : failure('FORBIDDEN', FOREIGN_HOST));
  });
}

/** Prevents cross-site request forgery. */
function refuseForeignOrigins(app: FastifyInstance, appHost: string): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const isOwn = READ_METHODS.has(request.method) || isFromOwnPage(request, appHost);
    done(isOwn ? undefined : failure('FORBIDDEN', 'This request comes from another site.'));
  });
}

/** Decided by the headers a browser sends. Other clients send none, and have no victim's cookie to misuse. */
function isFromOwnPage({ headers, host }: FastifyRequest, appHost: string): boolean {
  const { origin, 'sec-fetch-site': site = 'none' } = headers;
  if (origin === undefined) return site === 'same-origin' || site === 'none';
  // Some browsers say so of a page that names itself to nobody, as public pages do.
  if (origin === 'null') return site === 'same-origin';
  const from = URL.parse(origin)?.host;
  return site !== 'cross-site' && (from === host || from === appHost);
}
