import { commonErrors, type ErrorCode, errorStatus } from '@callout/contract/errors';
import { type Capability, can, refusal } from '@callout/domain/roles/roles';
import { ORPCError } from '@orpc/server';

/** Every failure has one of the contract's error codes. */
export type Failure = ORPCError<string, unknown>;

/** An error as the contract declares it for a call, such as `customerNotFound` or `idTaken`. */
export type DeclaredError = Readonly<Partial<Record<ErrorCode, { readonly message: string }>>>;

export function failure(code: ErrorCode, message: string, data?: object): Failure {
  return new ORPCError<string, unknown>(code, { status: errorStatus[code], message, data });
}

/** `throw failureOf(idTaken)`: the contract's code and message. */
export function failureOf(declared: DeclaredError, data?: object): Failure {
  const [code, error] = Object.entries(declared)[0] ?? [];
  if (!code || !error) throw new Error('The contract declares no error here');
  return failure(code as ErrorCode, error.message, data);
}

export function isFailure(error: unknown): error is Failure {
  return error instanceof ORPCError;
}

export const unauthenticated = () => failure('UNAUTHENTICATED', commonErrors.UNAUTHENTICATED.message);

export const internalFailure = () => failure('INTERNAL', 'Something went wrong on our side.');

/** Throws unless the role has the capability: 'You do not have permission to …'. */
export function requireCapability(role: string | null | undefined, capability: Capability): void {
  if (!can(role, capability)) throw failure('FORBIDDEN', refusal(capability));
}

/** One message per invalid field, by field name. */
export function invalidInput(fields: Record<string, string>): Failure {
  return failure('INVALID_INPUT', commonErrors.INVALID_INPUT.message, { fields });
}
