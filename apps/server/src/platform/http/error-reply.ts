import { type ErrorCode, isErrorCode } from '@callout/contract/errors';
import { ValidationError } from '@orpc/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { databaseFailure } from '../db/database-errors.ts';
import { type Failure, failure, internalFailure, invalidInput, isFailure } from '../errors/failures.ts';

/** Maps any error inside a call to one of the contract's codes. Details of unexpected errors only go to the log. */
export function toFailure(error: unknown, onFault: (error: unknown) => void): Failure {
  if (isFailure(error)) {
    if (isErrorCode(error.code)) return error;
    if (error.code === 'BAD_REQUEST' && error.cause instanceof ValidationError) return invalidInput(wrongFields(error.cause));
  }
  const known = databaseFailure(error);
  if (!known || known.status >= 500) onFault(error);
  return known ?? internalFailure();
}

/** Bounds the response when a list has thousands of invalid entries. */
const MAX_WRONG_FIELDS = 100;

/** The first message per invalid field, by field name. */
function wrongFields(error: ValidationError): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const issue of error.issues.slice(0, MAX_WRONG_FIELDS)) {
    const name = (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
    fields[name] ??= issue.message;
  }
  return fields;
}

/** Fastify's own errors in the same shape as every other failure. */
const FASTIFY_FAILURES: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['TOO_LARGE', 'That is larger than this call accepts.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNREADABLE', 'Please send JSON.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['UNREADABLE', 'This is not valid JSON.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['UNREADABLE', 'The JSON body is empty.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['UNREADABLE', 'The body does not have the announced length.'],
};

export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    if (isBrokenOff(error, request)) {
      // The client has disconnected, so there is no one to respond to.
      request.log.debug({ reqId: request.id, reason: error instanceof Error ? error.message : String(error) }, 'request broke off');
      return void reply.hijack();
    }
    const known = toExpectedFailure(error);
    // A failure of a call has been logged where it was caught.
    if (!isFailure(error) && (!known || known.status >= 500)) request.log.error({ reqId: request.id, err: error }, 'request failed');
    send(reply, known ?? internalFailure());
  });
}

/** Also what the parser of an upload says when its request ends too early. The same error on an open connection is our fault. */
function isBrokenOff(error: unknown, { raw }: FastifyRequest): boolean {
  const isEarlyEnd = error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
  return error === raw.errored || (isEarlyEnd && raw.socket.destroyed);
}

function toExpectedFailure(error: unknown): Failure | null {
  if (isFailure(error)) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const listed = Object.hasOwn(FASTIFY_FAILURES, code) ? FASTIFY_FAILURES[code] : undefined;
  if (listed) return failure(...listed);
  const refused = databaseFailure(error);
  if (refused) return refused;
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  return status >= 400 && status < 500 ? failure('UNREADABLE', 'This request cannot be read.') : null;
}

/** Caches may store 404 and 410 unless told not to. */
export function send(reply: FastifyReply, error: Failure): FastifyReply {
  // Programs that ask by themselves, such as calendars, only read the header.
  if (hasRetryAfter(error.data)) reply.header('retry-after', Math.ceil(error.data.retry_after));
  return reply.status(error.status).type('application/json').header('cache-control', 'no-store').send(error.toJSON());
}

function hasRetryAfter(data: unknown): data is { readonly retry_after: number } {
  return typeof data === 'object' && data !== null && 'retry_after' in data && typeof data.retry_after === 'number';
}
