import { commonErrors, ERROR_STATUS, type ErrorCode } from '@callout/contract/errors';
import { BUSY_MESSAGE } from '@callout/domain/product/product';
import { type Capability, formatPermissionError, hasCapability } from '@callout/domain/roles/roles';
import { ORPCError } from '@orpc/server';

/** An expected error, with one of the contract's error codes. */
export type Failure = ORPCError<string, unknown>;

/** An error as the contract declares it for a call, such as `customerNotFoundError` or `idTakenError`. */
export type DeclaredError = Readonly<Partial<Record<ErrorCode, { readonly message: string }>>>;

export function createFailure(code: ErrorCode, message: string, data?: object): Failure {
  return new ORPCError<string, unknown>(code, { status: ERROR_STATUS[code], message, data });
}

/** Converts an error that the contract declares into a failure, as in `throw toFailure(idTakenError)`. */
export function toFailure(declared: DeclaredError, data?: object): Failure {
  const [code, error] = Object.entries(declared)[0] ?? [];
  if (!code || !error) throw new Error('The declared error has no code');
  return createFailure(code as ErrorCode, error.message, data);
}

export function isFailure(error: unknown): error is Failure {
  return error instanceof ORPCError;
}

/** `removedFrom` is the name of the company that the person was removed from, if that ended their session. */
export const createUnauthenticatedFailure = (removedFrom: string | null = null) =>
  createFailure('UNAUTHENTICATED', commonErrors.UNAUTHENTICATED.message, removedFrom === null ? undefined : { removed_from: removedFrom });

export const createCompanyClosedFailure = () => createFailure('COMPANY_CLOSED', commonErrors.COMPANY_CLOSED.message);

/** For work that could not start or finish in time, because others kept the server or a record busy. */
export const createBusyFailure = () => createFailure('UNAVAILABLE', BUSY_MESSAGE);

export const createInternalFailure = () => createFailure('INTERNAL', 'Something went wrong on our side.');

/** Throws FORBIDDEN unless the role has the capability. */
export function requireCapability(role: string | null | undefined, capability: Capability): void {
  if (!hasCapability(role, capability)) throw createFailure('FORBIDDEN', formatPermissionError(capability));
}

/** Creates an INVALID_INPUT failure. `fields` maps the name of each invalid field to its message. */
export function createInvalidInputFailure(fields: Record<string, string>): Failure {
  return createFailure('INVALID_INPUT', commonErrors.INVALID_INPUT.message, { fields });
}
