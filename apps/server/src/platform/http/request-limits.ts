import type { IncomingMessage, ServerResponse } from 'node:http';
import { commonErrors } from '@callout/contract/errors';
import type { FastifyInstance } from 'fastify';
import { createFailure } from '../errors/failures.ts';
import { createConcurrencyLimit } from '../limits/concurrency-limit.ts';
import { getNetworkPrefix } from '../limits/rate-limit.ts';
import { getClientIp, type ProxyTrust } from './client-ip.ts';

/** Limits on slow and excessive connections, whether caused by a bad network or an attack. */
export interface RequestLimits {
  readonly headersTimeoutMs: number;
  /** The time limit for receiving a JSON body. */
  readonly bodyTimeoutMs: number;
  /** For uploads, this interval replaces `bodyTimeoutMs`: at least `minUploadBytesPerInterval` must arrive in each interval. */
  readonly uploadIntervalMs: number;
  readonly minUploadBytesPerInterval: number;
  /** The time limit for a whole request, including an upload. Enough for 25 MB at 22 kB/s. */
  readonly requestTimeoutMs: number;
  /** How long after its arrival a call is answered, even if it still waits. Below the 20 s after which the page gives up. */
  readonly callDeadlineMs: number;
  /** How long a connection with a request may transfer nothing, so that a browser that stops reading doesn't hold its download for ever. */
  readonly stallTimeoutMs: number;
  /** How long to keep reading a rejected body before closing the connection, so that the sender can read the response. */
  readonly lingerTimeoutMs: number;
  readonly checkIntervalMs: number;
  readonly maxConnections: number;
  readonly maxConnectionsPerNetwork: number;
  readonly maxBodies: number;
  readonly maxBodiesPerNetwork: number;
}

export const REQUEST_LIMITS: RequestLimits = {
  headersTimeoutMs: 15_000,
  bodyTimeoutMs: 20_000,
  uploadIntervalMs: 30_000,
  minUploadBytesPerInterval: 64 * 1024,
  requestTimeoutMs: 20 * 60_000,
  callDeadlineMs: 18_000,
  stallTimeoutMs: 60_000,
  lingerTimeoutMs: 5_000,
  checkIntervalMs: 1_000,
  maxConnections: 5_000,
  // A whole office may share one IP address, and each browser opens up to seven connections.
  maxConnectionsPerNetwork: 500,
  maxBodies: 400,
  maxBodiesPerNetwork: 100,
};

interface IncomingBody {
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  readonly isUpload: boolean;
  readonly end: () => void;
  /** When to close the connection unless more of the body arrives, as a `performance.now()` timestamp. */
  deadline: number;
  bytesRead: number;
  isResponseSent: boolean;
}

/** Limits open connections and slow bodies. A trusted proxy's connections aren't counted, because they carry many clients. */
export function enforceRequestLimits(app: FastifyInstance, limits: RequestLimits, isTrustedProxy: ProxyTrust): void {
  limitConnections(app, limits, isTrustedProxy);
  limitBodies(app, limits);
}

function limitConnections({ server }: FastifyInstance, limits: RequestLimits, isTrustedProxy: ProxyTrust): void {
  server.maxConnections = limits.maxConnections;
  const openConnections = createConcurrencyLimit({ total: limits.maxConnections, perKey: limits.maxConnectionsPerNetwork });
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    if (isTrustedProxy(address, 0)) return;
    const release = openConnections.tryAcquire(getNetworkPrefix(address));
    if (release) socket.once('close', release);
    else socket.destroy();
  });
}

function limitBodies(app: FastifyInstance, limits: RequestLimits): void {
  const bodiesInProgress = createConcurrencyLimit({ total: limits.maxBodies, perKey: limits.maxBodiesPerNetwork });
  const incomingBodies = new Set<IncomingBody>();
  app.addHook('onRequest', (request, reply, done) => {
    const { raw, headers } = request;
    if ((headers['content-length'] ?? '0') === '0' && headers['transfer-encoding'] === undefined) return done();
    const isUpload = headers['content-type']?.startsWith('multipart/') ?? false;
    const release = bodiesInProgress.tryAcquire(getNetworkPrefix(getClientIp(request)));
    const end = () => {
      incomingBodies.delete(incoming);
      release?.();
    };
    const incoming: IncomingBody = { raw, response: reply.raw, isUpload, end, bytesRead: 0, isResponseSent: false, deadline: 0 };
    extendDeadline(incoming, isUpload ? limits.uploadIntervalMs : limits.bodyTimeoutMs);
    incomingBodies.add(incoming);
    raw.once('end', end).once('close', end);
    // A body that no handler reads never emits 'end', so also stop counting it once the response is sent.
    reply.raw.once('finish', () => isIncomplete(raw) || end());
    return done(release ? undefined : createFailure('TOO_MANY_ATTEMPTS', commonErrors.TOO_MANY_ATTEMPTS.message, { retry_after: 5 }));
  });
  const checkTimer = setInterval(() => {
    for (const incoming of incomingBodies) {
      const { raw, response, end } = incoming;
      if (raw.socket.destroyed || (response.writableEnded && !isIncomplete(raw))) end();
      else if (isOverdue(incoming, limits)) raw.destroy();
    }
  }, limits.checkIntervalMs);
  checkTimer.unref();
  app.addHook('onClose', (_app, done) => {
    clearInterval(checkTimer);
    done();
  });
}

/** Returns true if part of the body is missing. Requests injected by tests have no `complete` and count as complete. */
function isIncomplete({ complete }: { readonly complete?: boolean }): boolean {
  return complete === false;
}

function extendDeadline(incoming: IncomingBody, ms: number): void {
  incoming.bytesRead = incoming.raw.socket.bytesRead;
  incoming.deadline = performance.now() + ms;
}

function isOverdue(incoming: IncomingBody, limits: RequestLimits): boolean {
  const { raw, response, isUpload } = incoming;
  if (!isIncomplete(raw)) return false;
  if (response.writableEnded && !incoming.isResponseSent) {
    incoming.isResponseSent = true;
    extendDeadline(incoming, limits.lingerTimeoutMs);
  }
  if (performance.now() < incoming.deadline) return false;
  const hasProgressed =
    isUpload && !incoming.isResponseSent && raw.socket.bytesRead - incoming.bytesRead >= limits.minUploadBytesPerInterval;
  if (hasProgressed) extendDeadline(incoming, limits.uploadIntervalMs);
  return !hasProgressed;
}
