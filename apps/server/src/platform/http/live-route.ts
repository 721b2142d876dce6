import { commonErrors } from '@callout/contract/errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createFailure } from '../errors/failures.ts';
import { NOTICE_RETENTION_MS } from '../live/notice-buffer.ts';
import type { LiveStream } from '../live/subscriber.ts';
import type { Platform } from './platform.ts';
import { requireSession } from './request-session.ts';

const HEARTBEAT_INTERVAL_MS = 25_000;
/** Maximum lifetime of a stream. The browser then reconnects, and its session is checked again. */
const MAX_STREAM_DURATION_MS = 30 * 60 * 1000;

const CLOSE_TIMEOUT_MS = 5_000;
const RETRY_AFTER_SECONDS = 30;

/** Parses `?read_ago=`, the age of the page's data in milliseconds. Invalid and overly large values count as 0. */
function parseReadAgo({ query }: FastifyRequest): number {
  const readAgoMs = Number((query as { read_ago?: unknown }).read_ago);
  return readAgoMs >= 0 && readAgoMs <= NOTICE_RETENTION_MS ? readAgoMs : 0;
}

/** Serves the live event stream: 'change' lists the topics that changed, and 'signed-out' means that the session has ended. */
export function registerLiveRoute(app: FastifyInstance, platform: Platform): void {
  app.get('/api/live', { compress: false, config: { isStream: true } }, async (request, reply) => {
    const { actor } = await requireSession(request, platform);
    const owner = { companyId: actor.member?.companyId ?? null, userId: actor.userId, sessionId: actor.sessionId };
    if (!platform.live.canOpenStream(owner)) {
      throw createFailure('TOO_MANY_ATTEMPTS', commonErrors.TOO_MANY_ATTEMPTS.message, { retry_after: RETRY_AFTER_SECONDS });
    }
    reply.hijack();
    const response = reply.raw;
    // A hijacked reply doesn't send its headers, so copy them to the raw response.
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) response.setHeader(name, value);
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      connection: 'keep-alive',
    });
    // Notices may still arrive after the stream has closed. Writing them would raise an unhandled error and crash the server.
    const send = (text: string) => void (response.writableEnded || response.write(`${text}\n\n`));
    send('retry: 2000');
    const stream: LiveStream = {
      ...owner,
      write: (event, data) => send(`event: ${event}\ndata: ${JSON.stringify(data)}`),
      close: () => {
        response.end();
        // A client that has stopped reading would otherwise keep the stream open forever.
        setTimeout(() => response.destroy(), CLOSE_TIMEOUT_MS).unref();
      },
    };
    const removeStream = platform.live.addStream(stream, parseReadAgo(request));
    const heartbeat = setInterval(() => send(': here'), HEARTBEAT_INTERVAL_MS);
    const expiry = setTimeout(() => stream.close(), MAX_STREAM_DURATION_MS);
    response.once('close', () => {
      clearInterval(heartbeat);
      clearTimeout(expiry);
      removeStream();
    });
  });
}
