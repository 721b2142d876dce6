import type { ErrorCode } from '@callout/contract/errors';
import { isORPCErrorJson, ORPCError } from '@orpc/client';
import { toast } from '../ui/toast.ts';
import { NO_CONNECTION, TOOK_TOO_LONG, UNEXPECTED } from './request.ts';

/** A refusal by the server: one of the contract's error codes, or an unknown one from something in between. */
export class CallError extends ORPCError<string, unknown> {}

/** What a response that is not a success says. Anything but our own JSON, such as a proxy's page, gets a code that no text belongs to. */
export function callErrorFrom(body: unknown, status: number): CallError {
  if (isORPCErrorJson(body)) return new CallError(body.code, { status: body.status, message: body.message, data: body.data });
  // An unreadable success is the fault of whatever answered in our place.
  return new CallError('UNREADABLE_ANSWER', { status: status >= 400 ? status : 502 });
}

/** The one place where a failure becomes a text of the spec. */
export const SESSION_EXPIRED = 'Your session has expired. Please sign in again.';
export const INVALID_FORMAT = 'Invalid data format. Please check your input and try again.';
export const PROFILE_UNAVAILABLE = 'Unable to load profile. Please check your connection and try again.';

/** Errors whose own message tells people what is wrong; a prefix would only hide it. */
const SELF_EXPLANATORY: ReadonlySet<string> = new Set<ErrorCode>([
  'INVALID_INPUT',
  'INVALID_CREDENTIALS',
  'FORBIDDEN',
  'NOT_FOUND',
  'STALE_VERSION',
  'ID_TAKEN',
  'ALREADY_DONE',
  'EMAIL_TAKEN',
  'EMAIL_UNCONFIRMED',
  'NAME_TAKEN',
  'LIMIT_REACHED',
  'SKU_TAKEN',
  'TIMER_RUNNING',
  'JOB_FINISHED',
  'JOB_PAID',
  'JOB_BILLED',
  'INVOICE_CHANGED',
  'INVOICE_CLOSED',
  'NOTHING_TO_BILL',
  'PAYMENT_REVERSED',
  'QUOTE_CLOSED',
  'QUOTE_EMPTY',
  'NO_EMAIL',
  'NOTHING_TO_ALLOCATE',
  'NO_NUMBER_LEFT',
  'LAST_ADMIN',
  'WRONG_PASSWORD',
  'NOT_CONFIRMED',
  'LINK_EXPIRED',
  'TOO_LARGE',
  'QUOTA_EXCEEDED',
  'DISK_FULL',
  'UNSUPPORTED_FILE',
  'TOO_MANY_ATTEMPTS',
]);

/** Errors of the server itself. Any other code comes from something in between, and its text is not for people. */
const SERVER_CODES: ReadonlySet<string> = new Set<ErrorCode>([
  ...(SELF_EXPLANATORY as ReadonlySet<ErrorCode>),
  'UNAUTHENTICATED',
  'UNAVAILABLE',
]);

const nameOf = (error: unknown) => (typeof error === 'object' && error !== null && 'name' in error ? error.name : undefined);

export function hasCode(error: unknown, code: ErrorCode): error is CallError {
  return error instanceof CallError && error.code === code;
}

/** The session has ended: also when a proxy answers 401 for us. A wrong password is not that. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof CallError && error.status === 401 && error.code !== 'INVALID_CREDENTIALS';
}

/** An answer of 4xx: it will be the same next time. */
export const isRefused = (error: unknown) => error instanceof CallError && error.status >= 400 && error.status < 500;

/** A connection that breaks while the response is being read arrives wrapped. */
const causeOf = (error: unknown) =>
  error instanceof Error && !(error instanceof CallError) && error.cause !== undefined ? error.cause : error;

/** fetch throws a TypeError when there was no response at all. */
export function isNetworkFailure(error: unknown): boolean {
  return causeOf(error) instanceof TypeError;
}

export function isAborted(error: unknown): boolean {
  const name = nameOf(causeOf(error));
  return name === 'AbortError' || name === 'TimeoutError';
}

const isGatewayFailure = (error: unknown): error is CallError => error instanceof CallError && error.status >= 502 && error.status <= 504;

/** Nothing came from the server itself: no connection, or something in between that cannot reach it either. */
export function isUnreachable(error: unknown): boolean {
  return isNetworkFailure(error) || isAborted(error) || isGatewayFailure(error);
}

/** A failure before the server could respond. */
function transportMessage(error: unknown): string | undefined {
  if (isAborted(error)) return TOOK_TOO_LONG;
  if (isNetworkFailure(error)) return NO_CONNECTION;
  // The server itself says in its own words that it is not available.
  if (isGatewayFailure(error) && !SERVER_CODES.has(error.code)) return NO_CONNECTION;
  if (error instanceof CallError && error.status === 406) return INVALID_FORMAT;
  return undefined;
}

function backendMessage(error: unknown): string | undefined {
  if (error instanceof CallError) return SERVER_CODES.has(error.code) ? error.message : undefined;
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : undefined;
  return typeof message === 'string' && message !== '' && !(error instanceof Error) ? message : undefined;
}

/** The central mapping: what a failed read shows. */
export function centralMessage(error: unknown): string {
  if (isSignedOut(error)) return SESSION_EXPIRED;
  const transport = transportMessage(error);
  if (transport !== undefined) return transport;
  const backend = backendMessage(error);
  if (backend === undefined) return UNEXPECTED;
  return error instanceof CallError && SELF_EXPLANATORY.has(error.code) ? backend : `Database error: ${backend}`;
}

/** For the '{message}' of a save's own text, such as 'Failed to add customer: {message}'. */
export function messageOf(error: unknown): string {
  return transportMessage(error) ?? backendMessage(error) ?? UNEXPECTED;
}

/** For deleting: someone else, or another tab, has already done it. */
export async function ignoreNotFound(answer: Promise<unknown>): Promise<void> {
  try {
    await answer;
  } catch (error) {
    if (!hasCode(error, 'NOT_FOUND')) throw error;
  }
}

/** One sentence per wrong field, by the field's name; nothing when the failure is not about fields. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!hasCode(error, 'INVALID_INPUT')) return {};
  const data = error.data;
  if (typeof data !== 'object' || data === null || !('fields' in data)) return {};
  const fields = data.fields;
  if (typeof fields !== 'object' || fields === null) return {};
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** Seconds to wait after too many attempts; nothing when the server did not say. */
export function retryAfter(error: unknown): number | undefined {
  if (!hasCode(error, 'TOO_MANY_ATTEMPTS')) return undefined;
  const data = error.data;
  const seconds = typeof data === 'object' && data !== null && 'retry_after' in data ? data.retry_after : undefined;
  return typeof seconds === 'number' ? seconds : undefined;
}

/**
 * The toast of a failed save, with the text the spec has for it. An ended session is reported where it is noticed,
 * so that one failure never makes two toasts.
 */
export function reportFailure(error: unknown, text: string, options?: { subject: string }): void {
  if (!isSignedOut(error)) toast.error(text, options);
}

/** The toast of a failed read. Several reads that fail for one reason say it once. */
export function reportReadFailure(error: unknown): void {
  if (isSignedOut(error)) return;
  const text = centralMessage(error);
  toast.error(text, { id: text });
}
