import { isORPCErrorJson, ORPCError } from '@orpc/client';

/** A refusal by the server: one of the contract's error codes, or an unknown one from something in between. */
export class CallError extends ORPCError<string, unknown> {}

/** What a response that is not a success says. Anything but our own JSON, such as a proxy's page, gets a code that no text belongs to. */
export function callErrorFrom(body: unknown, status: number): CallError {
  if (isORPCErrorJson(body)) return new CallError(body.code, { status: body.status, message: body.message, data: body.data });
  // An unreadable success is the fault of whatever answered in our place.
  return new CallError('UNREADABLE_ANSWER', { status: status >= 400 ? status : 502 });
}
