import type { ErrorCode } from '@callout/contract/errors';
import { BUSY_MESSAGE } from '@callout/domain/product/product';
import { isORPCErrorJson, ORPCError } from '@orpc/client';
import { toast } from '../ui/toast.ts';
import { formatUnexpectedError, getReference, NO_CONNECTION_MESSAGE, TIMEOUT_MESSAGE, UNEXPECTED_ERROR_MESSAGE } from './request.ts';

/** An error response with one of the contract's codes, or with an unknown code if a proxy responded. */
export class CallError extends ORPCError<string, unknown> {}

/** Converts an error response. Any body other than our JSON, such as a proxy's HTML page, becomes `UNREADABLE_RESPONSE`. */
export function toCallError(body: unknown, status: number): CallError {
  if (isORPCErrorJson(body)) return new CallError(body.code, { status: body.status, message: body.message, data: body.data });
  // A success status without our JSON can only come from a proxy, so treat the response as a bad gateway.
  return new CallError('UNREADABLE_RESPONSE', { status: status >= 400 ? status : 502 });
}

export const SESSION_EXPIRED_MESSAGE = 'Your session has expired. Please sign in again.';
/** Returns the name of the company that the person was removed from, if that is why their session has ended. */
export function getRemovedFrom(data: unknown): string | undefined {
  const company = typeof data === 'object' && data !== null && 'removed_from' in data ? data.removed_from : undefined;
  return typeof company === 'string' ? company : undefined;
}

export const INVALID_FORMAT_MESSAGE = 'Invalid data format. Please check your input and try again.';
export const PROFILE_UNAVAILABLE_MESSAGE = 'Unable to load profile. Please check your connection and try again.';

/** Codes with messages that users understand without the 'Database error:' prefix. */
const SELF_EXPLANATORY_CODES: ReadonlySet<string> = new Set<ErrorCode>([
  'INVALID_INPUT',
  'INVALID_CREDENTIALS',
  'FORBIDDEN',
  'COMPANY_CLOSED',
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
  'TIME_TAKEN',
  'JOB_FINISHED',
  'JOB_PAID',
  'FIXED_PRICE',
  'JOB_BILLED',
  'INVOICED_SINCE',
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
  'UNAVAILABLE',
]);

/** Codes that our server sends. Any other code comes from a proxy, and its message isn't meant for users. */
const SERVER_ERROR_CODES: ReadonlySet<string> = new Set<ErrorCode>([
  ...(SELF_EXPLANATORY_CODES as ReadonlySet<ErrorCode>),
  'UNAUTHENTICATED',
]);

const getErrorName = (error: unknown) => (typeof error === 'object' && error !== null && 'name' in error ? error.name : undefined);

export function hasErrorCode(error: unknown, code: ErrorCode): error is CallError {
  return error instanceof CallError && error.code === code;
}

/** Returns true if the session has ended, even if the 401 came from a proxy. A wrong password at sign-in doesn't count. */
export function isSignedOutError(error: unknown): boolean {
  return error instanceof CallError && error.status === 401 && error.code !== 'INVALID_CREDENTIALS';
}

/** Returns true for 4xx responses, which would fail again if retried. */
export const isClientError = (error: unknown) => error instanceof CallError && error.status >= 400 && error.status < 500;

/** Returns the underlying error if the connection broke while the response was being read. */
const unwrapError = (error: unknown) =>
  error instanceof Error && !(error instanceof CallError) && error.cause !== undefined ? error.cause : error;

/** Returns true for a TypeError, which fetch throws if there was no response. */
export function isNetworkFailure(error: unknown): boolean {
  return unwrapError(error) instanceof TypeError;
}

export function isAbortOrTimeout(error: unknown): boolean {
  const name = getErrorName(unwrapError(error));
  return name === 'AbortError' || name === 'TimeoutError';
}

const isGatewayFailure = (error: unknown): error is CallError => error instanceof CallError && error.status >= 502 && error.status <= 504;

/** Returns true if the request got no response or timed out, or if a proxy couldn't reach the server. */
export function isServerUnreachable(error: unknown): boolean {
  return isNetworkFailure(error) || isAbortOrTimeout(error) || isGatewayFailure(error);
}

/** Returns true if the server responded that it has too much to do. Unlike after an outage, trying again soon helps. */
export const isServerBusy = (error: unknown) => hasErrorCode(error, 'UNAVAILABLE') && error.message === BUSY_MESSAGE;

/** Returns the message for a request that got no usable response from our server. */
function getTransportMessage(error: unknown): string | undefined {
  if (isAbortOrTimeout(error)) return TIMEOUT_MESSAGE;
  if (isNetworkFailure(error)) return NO_CONNECTION_MESSAGE;
  // A code of ours means that our server responded and sent its own message.
  if (isGatewayFailure(error) && !SERVER_ERROR_CODES.has(error.code)) return NO_CONNECTION_MESSAGE;
  if (error instanceof CallError && error.status === 406) return INVALID_FORMAT_MESSAGE;
  return undefined;
}

function getBackendMessage(error: unknown): string | undefined {
  if (error instanceof CallError) return SERVER_ERROR_CODES.has(error.code) ? error.message : undefined;
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : undefined;
  return typeof message === 'string' && message !== '' && !(error instanceof Error) ? message : undefined;
}

const getUnexpectedMessage = (error: unknown) => formatUnexpectedError(error instanceof CallError ? error.data : undefined);

export function getReadErrorMessage(error: unknown): string {
  if (isSignedOutError(error)) return SESSION_EXPIRED_MESSAGE;
  const transport = getTransportMessage(error);
  if (transport !== undefined) return transport;
  const backend = getBackendMessage(error);
  if (backend === undefined) return getUnexpectedMessage(error);
  return error instanceof CallError && SELF_EXPLANATORY_CODES.has(error.code) ? backend : `Database error: ${backend}`;
}

/** Returns the reason to insert as '{message}' into texts such as 'Failed to add customer: {message}'. */
export function getErrorMessage(error: unknown): string {
  return getTransportMessage(error) ?? getBackendMessage(error) ?? getUnexpectedMessage(error);
}

/** Treats a deletion as successful if the record has already been deleted by someone else or in another tab. */
export async function ignoreNotFound(deletion: Promise<unknown>): Promise<void> {
  try {
    await deletion;
  } catch (error) {
    if (!hasErrorCode(error, 'NOT_FOUND')) throw error;
  }
}

/** Returns one message per invalid field, by field name. Empty if the error isn't about fields. */
export function getFieldErrors(error: unknown): Record<string, string> {
  if (!hasErrorCode(error, 'INVALID_INPUT')) return {};
  const data = error.data;
  if (typeof data !== 'object' || data === null || !('fields' in data)) return {};
  const fields = data.fields;
  if (typeof fields !== 'object' || fields === null) return {};
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** Returns how long to wait after too many attempts. Returns undefined for other errors or if the time is unknown. */
export function getRetryAfterSeconds(error: unknown): number | undefined {
  if (!hasErrorCode(error, 'TOO_MANY_ATTEMPTS')) return undefined;
  const data = error.data;
  const seconds = typeof data === 'object' && data !== null && 'retry_after' in data ? data.retry_after : undefined;
  return typeof seconds === 'number' ? seconds : undefined;
}

/** Long enough to write down the reference of an unexpected error. */
const REFERENCE_TOAST_TIMEOUT_MS = 20_000;

const getTimeoutOption = (error: unknown) =>
  error instanceof CallError && getReference(error.data) !== undefined ? { timeoutMs: REFERENCE_TOAST_TIMEOUT_MS } : {};

/** Shows an error toast. If the session has ended, shows nothing, because the sign-in page already says so. */
export function reportFailure(error: unknown, text: string, options?: { subject: string | undefined }): void {
  if (!isSignedOutError(error)) toast.error(text, { ...getTimeoutOption(error), ...options });
}

/** Shows a toast for a failed read. Several reads that fail for the same reason share one toast. */
export function reportReadFailure(error: unknown): void {
  if (isSignedOutError(error)) return;
  const text = getReadErrorMessage(error);
  // The references of several unexpected errors differ, but one toast is enough.
  const id = text.startsWith(UNEXPECTED_ERROR_MESSAGE) ? UNEXPECTED_ERROR_MESSAGE : text;
  toast.error(text, { ...getTimeoutOption(error), id });
}
