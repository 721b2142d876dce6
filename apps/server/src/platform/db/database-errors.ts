import { commonErrors } from '@callout/contract/errors';
import { type Failure, failure, invalidInput, unauthenticated } from '../errors/failures.ts';

/** A PostgreSQL error as reported by the driver. */
interface DatabaseError extends Error {
  readonly code: string;
  readonly table?: string;
  readonly constraint?: string;
  readonly detail?: string;
}

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';

/** The failure to report to the caller when the database refused a statement; null when it is a bug. */
export function databaseFailure(error: unknown): Failure | null {
  const missing = findDatabaseError(error, FOREIGN_KEY_VIOLATION);
  // Deleting a record that is still referenced is a bug, not an invalid field.
  if (missing && !isStillReferenced(missing)) return missingReference(missing);
  return isDatabaseUnavailable(error) || isRetryable(error) ? failure('UNAVAILABLE', commonErrors.UNAVAILABLE.message) : null;
}

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return findDatabaseError(error, UNIQUE_VIOLATION)?.constraint === constraint;
}

/** A record that others refer to can't be deleted. */
export function isStillReferenced(error: unknown): boolean {
  return findDatabaseError(error, FOREIGN_KEY_VIOLATION)?.detail?.includes('is still referenced') ?? false;
}

/** The transaction conflicted with another one; retrying it may succeed. */
export function isRetryable(error: unknown): boolean {
  return Boolean(findDatabaseError(error, SERIALIZATION_FAILURE) ?? findDatabaseError(error, DEADLOCK));
}

/** A command has found, under its locks, that another one was faster. Nothing of it is kept: it runs again. */
export const transactionConflict = (message: string) => Object.assign(new Error(message), { code: SERIALIZATION_FAILURE });

/** Foreign keys to another user's login. */
const KEYS_TO_OTHERS = new Set(['notifications_user_id_fkey']);
const OWNER_KEYS = new Set(['company_id', 'user_id', 'profile_id', 'invited_by']);

/** A record referenced by the input does not exist, or the caller's company or login has just been deleted. */
function missingReference({ table = '', constraint = '' }: DatabaseError): Failure {
  const columns = constraint.slice(table.length + 1, -'_fkey'.length);
  if (OWNER_KEYS.has(columns) && !KEYS_TO_OTHERS.has(constraint)) return unauthenticated();
  return invalidInput({ [columns.replace(/^company_id_/, '')]: 'This record no longer exists. Please choose another one.' });
}

const CONNECTION_ERRORS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

/** Connection refused or lost, server starting or shutting down, or no connection free in time. */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    if (/^(08|57P|53)/.test(code) || CONNECTION_ERRORS.has(code)) return true;
    // Only a missing database socket counts, not any other missing file.
    if (code === 'ENOENT' && 'syscall' in cause && cause.syscall === 'connect') return true;
    if (/Connection terminated|timeout exceeded when trying to connect|client has encountered a connection error/i.test(cause.message))
      return true;
  }
  return false;
}

/** The error itself, or what caused it. */
function findDatabaseError(error: unknown, code: string): DatabaseError | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && cause.code === code) return cause as DatabaseError;
  }
  return null;
}
