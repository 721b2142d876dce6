import type { ErrorCode } from '@callout/contract/errors';
import type { ORPCError } from '@orpc/server';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { databaseFailure, failure, internalFailure, isFailure } from './failures.ts';

/** What fastify itself refuses, before a call is reached, in the same shape as every other failure. */
const FASTIFY_FAILURES: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['TOO_LARGE', 'That is larger than this call accepts.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNREADABLE', 'Please send JSON.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['UNREADABLE', 'This is not valid JSON.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['UNREADABLE', 'The JSON body is empty.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['UNREADABLE', 'The body does not have the announced length.'],
};

export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const known = toKnown(error);
    // A failure of a call has been logged where it was caught.
    if (!isFailure(error) && (!known || known.status >= 500)) request.log.error({ reqId: request.id, err: error }, 'request failed');
    send(reply, known ?? internalFailure());
  });
}

function toKnown(error: unknown): ORPCError<string, unknown> | null {
  if (isFailure(error)) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const listed = Object.hasOwn(FASTIFY_FAILURES, code) ? FASTIFY_FAILURES[code] : undefined;
  if (listed) return failure(...listed);
  const refused = databaseFailure(error);
  if (refused) return refused;
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  return status >= 400 && status < 500 ? failure('UNREADABLE', 'This request cannot be read.') : null;
}

/** A refusal holds for this moment only: without a word, 404 and 410 may be kept by whoever passes them on. */
export function send(reply: FastifyReply, error: ORPCError<string, unknown>): FastifyReply {
  return reply.status(error.status).type('application/json').header('cache-control', 'no-store').send(error.toJSON());
}
