import { commonErrors, type ErrorCode, errorStatus, isErrorCode } from '@callout/contract/errors';
import { ORPCError, ValidationError } from '@orpc/server';
import { isOwnerGone } from '../db/violations.ts';

/** Turns whatever went wrong inside a call into one of the contract's codes. What is not one of them stays in the log. */
export function toFailure(error: unknown, onFault: (error: unknown) => void): ORPCError<string, unknown> {
  if (isFailure(error)) {
    if (isErrorCode(error.code)) return error;
    if (error.code === 'BAD_REQUEST' && error.cause instanceof ValidationError) return invalidInput(fieldsOf(error.cause));
  }
  const known = databaseFailure(error);
  if (!known || known.status >= 500) onFault(error);
  return known ?? internalFailure();
}

/** What the database refused because of what happened meanwhile: to the caller, or to the database itself. */
export function databaseFailure(error: unknown): ORPCError<string, unknown> | null {
  if (isOwnerGone(error)) return failure('UNAUTHENTICATED', commonErrors.UNAUTHENTICATED.message);
  return isDatabaseOut(error) ? failure('UNAVAILABLE', commonErrors.UNAVAILABLE.message) : null;
}

export const internalFailure = () => failure('INTERNAL', 'Something went wrong on our side.');

export function isFailure(error: unknown): error is ORPCError<string, unknown> {
  return error instanceof ORPCError;
}

export function failure(code: ErrorCode, message: string, data?: object): ORPCError<string, unknown> {
  return new ORPCError<string, unknown>(code, { status: errorStatus[code], message, data });
}

export function invalidInput(fields: Record<string, string>): ORPCError<string, unknown> {
  return failure('INVALID_INPUT', commonErrors.INVALID_INPUT.message, { fields });
}

/** The first sentence for each wrong field, under the field's name. */
function fieldsOf(error: ValidationError): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) {
    const name = (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
    fields[name] ??= issue.message;
  }
  return fields;
}

/** Connection refused or lost, server starting or shutting down, or no connection free in time. */
export function isDatabaseOut(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    if (/^(08|57P|53)/.test(code) || ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code)) return true;
    // A missing socket of the database; any other missing file has nothing to do with it.
    if (code === 'ENOENT' && 'syscall' in cause && cause.syscall === 'connect') return true;
    if (/Connection terminated|timeout exceeded when trying to connect|client has encountered a connection error/i.test(cause.message))
      return true;
  }
  return false;
}
