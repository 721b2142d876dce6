import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { RequestSpan } from '../telemetry/tracing.ts';
import type { ProxyTrust } from './client-ip.ts';
import { isPageRequest } from './page-route.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The contract's name of the call that the route serves, such as 'customers.list'. */
    readonly call?: string;
    /** True for a response that stays open, so that its duration says nothing. */
    readonly isStream?: boolean;
  }
}

/** Measures and traces requests by call or route. Leaves out probes and streams. */
export function measureRequests(app: FastifyInstance, { metrics, tracing }: Telemetry, isTrustedProxy: ProxyTrust): void {
  if (metrics) {
    app.addHook('onResponse', (request, reply, done) => {
      if (isMeasured(request)) metrics.observeCall(nameRequest(request), reply.statusCode, reply.elapsedTime / 1000);
      done();
    });
  }
  if (!tracing) return;
  const spans = new WeakMap<FastifyRequest, RequestSpan>();
  app.addHook('onRequest', (request, _reply, done) => {
    if (isMeasured(request)) {
      const { traceparent } = request.headers;
      const parent = typeof traceparent === 'string' && isTrustedProxy(request.socket.remoteAddress ?? '', 0) ? traceparent : undefined;
      spans.set(request, tracing.startRequest(nameRequest(request), request.id, parent));
    }
    done();
  });
  // Enters the span only after the body was parsed, because events of the connection would leave it again.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request);
    if (span) span.enter(done);
    else done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    spans.get(request)?.end(reply.statusCode);
    done();
  });
}

const isMeasured = ({ routeOptions: { logLevel, config } }: FastifyRequest) => logLevel !== 'warn' && !config.isStream;

/** Returns the name of the call, or the route's pattern. Both are few, unlike paths, which contain ids. Pages have no route of their own. */
function nameRequest(request: FastifyRequest): string {
  const { method, routeOptions } = request;
  const { url, config } = routeOptions;
  if (config.call !== undefined) return config.call;
  if (url !== undefined) return `${method} ${url}`;
  return isPageRequest(request) ? 'page' : 'no route';
}
