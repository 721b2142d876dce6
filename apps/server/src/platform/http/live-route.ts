import { commonErrors } from '@callout/contract/errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { failure } from '../errors/failures.ts';
import { RETENTION_MS } from '../live/notices.ts';
import type { Watcher } from '../live/subscriber.ts';
import type { Platform } from './platform.ts';
import { requireSession } from './request-actor.ts';

const HEARTBEAT_MS = 25_000;
/** The browser reconnects on its own, and its session is checked again. */
const STREAM_MS = 30 * 60 * 1000;

const CLOSE_TIMEOUT_MS = 5_000;
const REFUSED_SECONDS = 30;

/** `?read_ago=`: the milliseconds since the page was read. Invalid or too large values are ignored. */
function sinceReadMs({ query }: FastifyRequest): number {
  const said = Number((query as { read_ago?: unknown }).read_ago);
  return said >= 0 && said <= RETENTION_MS ? said : 0;
}

/** Server-sent events: 'change' with the topics that changed, 'signed-out' when the session was ended. */
export function liveRoute(app: FastifyInstance, platform: Platform): void {
  app.get('/api/live', { compress: false }, async (request, reply) => {
    const { actor } = await requireSession(request, platform);
    const person = { companyId: actor.member?.companyId ?? null, userId: actor.userId, sessionId: actor.sessionId };
    if (!platform.live.hasRoomFor(person)) {
      throw failure('TOO_MANY_ATTEMPTS', commonErrors.TOO_MANY_ATTEMPTS.message, { retry_after: REFUSED_SECONDS });
    }
    reply.hijack();
    const stream = reply.raw;
    // Bypasses fastify's reply, so its headers are sent here.
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) stream.setHeader(name, value);
    stream.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      connection: 'keep-alive',
    });
    // Notices may still arrive after we end the stream, and an unhandled write error would crash the server.
    const send = (text: string) => void (stream.writableEnded || stream.write(`${text}\n\n`));
    send('retry: 2000');
    const watcher: Watcher = {
      ...person,
      write: (event, data) => send(`event: ${event}\ndata: ${JSON.stringify(data)}`),
      close: () => {
        stream.end();
        // If the client no longer reads, the stream would never end.
        setTimeout(() => stream.destroy(), CLOSE_TIMEOUT_MS).unref();
      },
    };
    const stopWatching = platform.live.watch(watcher, sinceReadMs(request));
    const heartbeat = setInterval(() => send(': here'), HEARTBEAT_MS);
    const end = setTimeout(() => watcher.close(), STREAM_MS);
    stream.once('close', () => {
      clearInterval(heartbeat);
      clearTimeout(end);
      stopWatching();
    });
  });
}
