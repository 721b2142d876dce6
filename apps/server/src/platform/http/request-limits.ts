import type { IncomingMessage, ServerResponse } from 'node:http';
import { commonErrors } from '@callout/contract/errors';
import type { FastifyInstance } from 'fastify';
import { failure } from '../errors/failures.ts';
import { createConcurrencyLimit } from '../limits/concurrency-limit.ts';
import { network } from '../limits/rate-limit.ts';
import { clientIp, type ProxyTrust } from './client-ip.ts';

/** Limits for slow connections, whether the sender is honest or not. */
export interface RequestLimits {
  readonly headersMs: number;
  /** Time for a JSON body to arrive. */
  readonly bodyMs: number;
  /** An upload may take long, but in each such interval at least `uploadStallBytes` must arrive. */
  readonly uploadStallMs: number;
  readonly uploadStallBytes: number;
  /** Time for a whole request: 25 MB at 22 kB/s. */
  readonly requestMs: number;
  /** How long the rest of a refused body is still read, so that the sender can read the response. */
  readonly lingerMs: number;
  readonly checkEveryMs: number;
  readonly connections: number;
  readonly connectionsPerNetwork: number;
  readonly bodies: number;
  readonly bodiesPerNetwork: number;
}

export const REQUEST_LIMITS: RequestLimits = {
  headersMs: 15_000,
  bodyMs: 20_000,
  uploadStallMs: 30_000,
  uploadStallBytes: 64 * 1024,
  requestMs: 20 * 60_000,
  lingerMs: 5_000,
  checkEveryMs: 1_000,
  connections: 5_000,
  // An office shares one IP address, and a browser holds up to seven connections.
  connectionsPerNetwork: 500,
  bodies: 400,
  bodiesPerNetwork: 100,
};

/** A body that is still arriving. */
interface Arrival {
  readonly raw: IncomingMessage;
  readonly answer: ServerResponse;
  readonly isUpload: boolean;
  readonly end: () => void;
  /** When it is cut off unless it makes progress. */
  deadline: number;
  bytesRead: number;
  isAnswered: boolean;
}

/** Closes connections that make no progress. Behind a proxy, limiting connections per network is the proxy's job. */
export function limitRequests(app: FastifyInstance, limits: RequestLimits, isTrustedProxy: ProxyTrust): void {
  limitConnections(app, limits, isTrustedProxy);
  limitBodies(app, limits);
}

function limitConnections({ server }: FastifyInstance, limits: RequestLimits, isTrustedProxy: ProxyTrust): void {
  server.maxConnections = limits.connections;
  const open = createConcurrencyLimit({ total: limits.connections, perKey: limits.connectionsPerNetwork });
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    if (isTrustedProxy(address, 0)) return;
    const leave = open.enter(network(address));
    if (leave) socket.once('close', leave);
    else socket.destroy();
  });
}

function limitBodies(app: FastifyInstance, limits: RequestLimits): void {
  const underWay = createConcurrencyLimit({ total: limits.bodies, perKey: limits.bodiesPerNetwork });
  const arrivals = new Set<Arrival>();
  app.addHook('onRequest', (request, reply, done) => {
    const { raw, headers } = request;
    if ((headers['content-length'] ?? '0') === '0' && headers['transfer-encoding'] === undefined) return done();
    const isUpload = headers['content-type']?.startsWith('multipart/') ?? false;
    const leave = underWay.enter(network(clientIp(request)));
    const end = () => {
      arrivals.delete(arrival);
      leave?.();
    };
    const arrival: Arrival = { raw, answer: reply.raw, isUpload, end, bytesRead: 0, isAnswered: false, deadline: 0 };
    extend(arrival, isUpload ? limits.uploadStallMs : limits.bodyMs);
    arrivals.add(arrival);
    raw.once('end', end).once('close', end);
    // A body that nobody reads never ends by itself.
    reply.raw.once('finish', () => isArriving(raw) || end());
    return done(leave ? undefined : failure('TOO_MANY_ATTEMPTS', commonErrors.TOO_MANY_ATTEMPTS.message, { retry_after: 5 }));
  });
  const check = setInterval(() => {
    for (const arrival of arrivals) {
      const { raw, answer, end } = arrival;
      if (raw.socket.destroyed || (answer.writableEnded && !isArriving(raw))) end();
      else if (isOverdue(arrival, limits)) raw.destroy();
    }
  }, limits.checkEveryMs);
  check.unref();
  app.addHook('onClose', (_app, done) => {
    clearInterval(check);
    done();
  });
}

/** In-process requests have no connection and arrive complete. */
function isArriving({ complete }: { readonly complete?: boolean }): boolean {
  return complete === false;
}

function extend(arrival: Arrival, ms: number): void {
  arrival.bytesRead = arrival.raw.socket.bytesRead;
  arrival.deadline = performance.now() + ms;
}

function isOverdue(arrival: Arrival, limits: RequestLimits): boolean {
  const { raw, answer, isUpload } = arrival;
  if (!isArriving(raw)) return false;
  if (answer.writableEnded && !arrival.isAnswered) {
    arrival.isAnswered = true;
    extend(arrival, limits.lingerMs);
  }
  if (performance.now() < arrival.deadline) return false;
  const isMoving = isUpload && !arrival.isAnswered && raw.socket.bytesRead - arrival.bytesRead >= limits.uploadStallBytes;
  if (isMoving) extend(arrival, limits.uploadStallMs);
  return !isMoving;
}
