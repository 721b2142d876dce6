import { type ErrorCode, FILES_UNAVAILABLE_MESSAGE, isErrorCode } from '@callout/contract/errors';
import { ValidationError } from '@orpc/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { translateDatabaseError } from '../db/database-errors.ts';
import { createFailure, createInternalFailure, createInvalidInputFailure, type Failure, isFailure } from '../errors/failures.ts';
import { FileStoreError } from '../files/file-store.ts';

/** Maps any error to one of the contract's codes. Details of unexpected errors appear only in the log. */
export function normalizeError(error: unknown, onFault: (error: unknown) => void): Failure {
  if (isFailure(error)) {
    if (isErrorCode(error.code)) return error;
    if (error.code === 'BAD_REQUEST' && error.cause instanceof ValidationError)
      return createInvalidInputFailure(collectFieldErrors(error.cause));
  }
  const known = translateServiceError(error);
  if (!known || known.status >= 500) onFault(error);
  return known ?? createInternalFailure();
}

/** Returns the failure to report if the database or the store of files is unavailable or busy, or null for other errors. */
function translateServiceError(error: unknown): Failure | null {
  return error instanceof FileStoreError ? createFailure('UNAVAILABLE', FILES_UNAVAILABLE_MESSAGE) : translateDatabaseError(error);
}

/** Keeps the response small when a list contains thousands of invalid entries. */
const MAX_FIELD_ERRORS = 100;

/** Returns the first error message of each invalid field. */
function collectFieldErrors(error: ValidationError): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const issue of error.issues.slice(0, MAX_FIELD_ERRORS)) {
    const name = (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
    fields[name] ??= issue.message;
  }
  return fields;
}

/** The failures to respond with when fastify itself reports an error. */
const FASTIFY_FAILURES: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['TOO_LARGE', 'This request is too large.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNREADABLE', 'The request body must be JSON.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['UNREADABLE', 'The request body is not valid JSON.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['UNREADABLE', 'The request body is empty.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['UNREADABLE', 'The request body does not match its Content-Length.'],
};

export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    if (isClientDisconnect(error, request)) {
      request.log.debug({ reqId: request.id, reason: error instanceof Error ? error.message : String(error) }, 'Client disconnected');
      return void reply.hijack();
    }
    const known = toExpectedFailure(error);
    // Don't log a call's failure again. It was logged where it was caught.
    if (!isFailure(error) && (!known || known.status >= 500)) request.log.error({ reqId: request.id, err: error }, 'Request failed');
    sendFailure(reply, known ?? createInternalFailure());
  });
}

/** Returns true if the client disconnected, which the upload parser reports as a premature close. On an open connection, it's our fault. */
function isClientDisconnect(error: unknown, { raw }: FastifyRequest): boolean {
  const isPrematureClose = error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
  return error === raw.errored || (isPrematureClose && raw.socket.destroyed);
}

function toExpectedFailure(error: unknown): Failure | null {
  if (isFailure(error)) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const listed = Object.hasOwn(FASTIFY_FAILURES, code) ? FASTIFY_FAILURES[code] : undefined;
  if (listed) return createFailure(...listed);
  const serviceFailure = translateServiceError(error);
  if (serviceFailure) return serviceFailure;
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  return status >= 400 && status < 500 ? createFailure('UNREADABLE', 'This request is malformed.') : null;
}

const UNAVAILABLE_RETRY_SECONDS = 5;

/** Sends a failure with no-store, because caches could otherwise store a 404 or 410. */
export function sendFailure(reply: FastifyReply, error: Failure): FastifyReply {
  // Clients other than our own pages, such as calendar apps, understand only the header.
  if (hasRetryAfter(error.data)) reply.header('retry-after', Math.ceil(error.data.retry_after));
  else if (error.code === 'UNAVAILABLE') reply.header('retry-after', UNAVAILABLE_RETRY_SECONDS);
  return reply
    .status(error.status)
    .type('application/json')
    .header('cache-control', 'no-store')
    .send(buildErrorBody(error, reply.request.id));
}

/** Builds the response to a failure. An unexpected error carries the request's id, under which its details are in the log. */
export function buildErrorBody(error: Failure, requestId: string): object {
  return error.code === 'INTERNAL' ? { ...error.toJSON(), data: { reference: requestId } } : error.toJSON();
}

function hasRetryAfter(data: unknown): data is { readonly retry_after: number } {
  return typeof data === 'object' && data !== null && 'retry_after' in data && typeof data.retry_after === 'number';
}
