import helmet from '@fastify/helmet';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { createFailure } from '../errors/failures.ts';
import { PROBE_PATHS } from './health-routes.ts';
import type { Platform } from './platform.ts';

const IMAGE_SOURCES = ["'self'", 'data:', 'blob:'];

/** Forbids external and inline scripts, so that injected markup can't run code. */
const CONTENT_SECURITY_POLICY: Readonly<Record<string, readonly string[]>> = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': IMAGE_SOURCES,
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'manifest-src': ["'self'"],
  'worker-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
};

const READ_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

type SecurityServices = Pick<Platform, 'appUrl'> & { readonly files: Pick<Platform['files'], 'getReadOrigin'> };

export async function registerSecurityHeaders(app: FastifyInstance, { appUrl, files }: SecurityServices): Promise<void> {
  const headers = await buildSecurityHeaders(appUrl.startsWith('https://'), await files.getReadOrigin());
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

/** Rejects changes requested by other sites and, if APP_URL is set, requests with a foreign Host header. */
export function rejectForeignRequests(app: FastifyInstance, { appUrl, config }: Pick<Platform, 'appUrl' | 'config'>): void {
  if (config.appUrl) rejectForeignHosts(app, new URL(config.appUrl).hostname);
  rejectForeignOrigins(app, new URL(appUrl).host);
}

/** Builds the headers once, because running helmet for each request takes longer than the call itself. */
async function buildSecurityHeaders(https: boolean, filesOrigin: string | null): Promise<Record<string, string>> {
  const sample = Fastify();
  await sample.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      // A photo's URL may redirect to the store of files.
      directives: { ...CONTENT_SECURITY_POLICY, ...(filesOrigin && { 'img-src': [...IMAGE_SOURCES, filesOrigin] }) },
    },
    hsts: https,
    crossOriginEmbedderPolicy: false,
    // Turned off because these headers are obsolete.
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
const FOREIGN_HOST_MESSAGE = 'The host does not match APP_URL. Behind a proxy, configure it to forward the Host header.';

/** Rejects requests for a host name other than the app's or localhost, which prevents DNS rebinding attacks. */
function rejectForeignHosts(app: FastifyInstance, appHostname: string): void {
  const allowedHosts = new Set([appHostname, ...LOCAL_HOSTS]);
  const isAllowed = (host: string) => allowedHosts.has(host.replace(/:\d+$/, '').toLowerCase());
  app.addHook('onRequest', (request, _reply, done) => {
    // Load balancers may use any host name for health checks.
    const isProbe = PROBE_PATHS.includes(request.routeOptions.url ?? '');
    done(isProbe || isAllowed(request.host) ? undefined : createFailure('FORBIDDEN', FOREIGN_HOST_MESSAGE));
  });
}

/** Rejects changes requested by other sites, which prevents cross-site request forgery. */
function rejectForeignOrigins(app: FastifyInstance, appHost: string): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const isAllowed = READ_METHODS.has(request.method) || isFromOurPages(request, appHost);
    done(isAllowed ? undefined : createFailure('FORBIDDEN', 'This request comes from another site.'));
  });
}

/** Checks headers that only browsers send. Other clients pass the check, because they can't use a victim's cookie. */
function isFromOurPages({ headers, host }: FastifyRequest, appHost: string): boolean {
  const { origin, 'sec-fetch-site': site = 'none' } = headers;
  if (origin === undefined) return site === 'same-origin' || site === 'none';
  // Public pages send no referrer, so some browsers send 'null' as their origin. Then rely on the Sec-Fetch-Site header.
  if (origin === 'null') return site === 'same-origin';
  const originHost = URL.parse(origin)?.host;
  return site !== 'cross-site' && (originHost === host || originHost === appHost);
}
