import { commonErrors } from '@callout/contract/errors';
import {
  createBusyFailure,
  createFailure,
  createInvalidInputFailure,
  createUnauthenticatedFailure,
  type Failure,
} from '../errors/failures.ts';

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
/** The statement ran into `lock_timeout`. */
const LOCK_NOT_AVAILABLE = '55P03';
/** The statement ran into `statement_timeout`. */
const QUERY_CANCELED = '57014';

/** Returns the failure to report if the input refers to a missing record or the database is unavailable or busy, or null for other errors. */
export function translateDatabaseError(error: unknown): Failure | null {
  const missing = findDatabaseError(error, FOREIGN_KEY_VIOLATION);
  // Deleting a record that is still referenced is a bug, not an invalid field.
  if (missing && !isStillReferencedError(missing)) return createMissingReferenceFailure(missing);
  if (isTransactionConflict(error) || isLockTimeout(error) || findDatabaseError(error, QUERY_CANCELED) || isPoolExhausted(error))
    return createBusyFailure();
  return isDatabaseUnavailable(error) ? createFailure('UNAVAILABLE', commonErrors.UNAVAILABLE.message) : null;
}

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return findDatabaseError(error, UNIQUE_VIOLATION)?.constraint === constraint;
}

/** Returns true if a record couldn't be deleted because other records refer to it. */
export function isStillReferencedError(error: unknown): boolean {
  return findDatabaseError(error, FOREIGN_KEY_VIOLATION)?.detail?.includes('is still referenced') ?? false;
}

/** Returns true if the transaction lost to a concurrent one, in which case a retry may succeed. */
export function isTransactionConflict(error: unknown): boolean {
  return Boolean(findDatabaseError(error, SERIALIZATION_FAILURE) ?? findDatabaseError(error, DEADLOCK));
}

/** Returns true if the transaction waited too long for a lock that another one holds. */
export const isLockTimeout = (error: unknown) => findDatabaseError(error, LOCK_NOT_AVAILABLE) !== null;

/** Creates an error to throw if a concurrent command got the lock first and changed the data. The transaction is then retried. */
export const createTransactionConflict = (message: string) => Object.assign(new Error(message), { code: SERIALIZATION_FAILURE });

/** Creates an error like the one of a statement that ran into its timeout. */
export const createStatementTimeout = (message: string) => Object.assign(new Error(message), { code: QUERY_CANCELED });

const OWNER_KEYS = new Set(['company_id', 'user_id', 'profile_id', 'invited_by']);

/** Builds INVALID_INPUT if the input refers to a missing record, or UNAUTHENTICATED if the caller's company or login was just deleted. */
function createMissingReferenceFailure({ table = '', constraint = '' }: DatabaseError): Failure {
  const columns = constraint.slice(table.length + 1, -'_fkey'.length);
  if (OWNER_KEYS.has(columns)) return createUnauthenticatedFailure();
  return createInvalidInputFailure({ [columns.replace(/^company_id_/, '')]: 'This record no longer exists. Please choose another one.' });
}

/** The connection leads to a replica, for example to the former primary. */
export const READ_ONLY = '25006';
/** The last five mean that the machine is gone, or its name while its container is replaced. */
const CONNECTION_ERROR_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Returns true if no connection became free in time. */
export function isPoolExhausted(error: unknown): boolean {
  return error instanceof Error && (/timeout exceeded when trying to connect/i.test(error.message) || isPoolExhausted(error.cause));
}

/** Returns true if the connection was refused or lost, PostgreSQL is starting or stopping, or a connection or an answer took too long. */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    if (/^(08|57P|53)/.test(code) || CONNECTION_ERROR_CODES.has(code) || code === READ_ONLY) return true;
    // ENOENT means an unreachable database only if the missing file is the socket to connect to.
    if (code === 'ENOENT' && 'syscall' in cause && cause.syscall === 'connect') return true;
    if (
      /Connection terminated|timeout exceeded when trying to connect|Query read timeout|client has encountered a connection error/i.test(
        cause.message,
      )
    )
      return true;
  }
  return false;
}

/** Finds the first error with the given PostgreSQL code among the error and its causes. */
function findDatabaseError(error: unknown, code: string): DatabaseError | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && cause.code === code) return cause as DatabaseError;
  }
  return null;
}
