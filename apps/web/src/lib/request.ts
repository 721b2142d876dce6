import type { ErrorCode } from '@callout/contract/errors';
import { sendUntilAnswered } from './request-retries.ts';

/** Public pages load this file too. To keep them small, it must not import the router or any library. */
export const REQUEST_HEADERS = { accept: 'application/json', 'x-callout-client': 'callout-web' };

/** Long enough for a weak mobile signal, but short enough that people don't give up first. */
const REQUEST_TIMEOUT_MS = 20_000;

export const withRequestTimeout = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]);

export const NO_CONNECTION_MESSAGE = 'Unable to connect to the server. Please check your internet connection and try again.';
export const TIMEOUT_MESSAGE = 'The request took too long to complete. Please try again.';
export const UNEXPECTED_ERROR_MESSAGE = 'An unexpected error occurred. Please try again later.';

/** Returns the reference that lets the administrator find an unexpected error in the log. */
export function getReference(data: unknown): string | undefined {
  const reference = typeof data === 'object' && data !== null && 'reference' in data ? data.reference : undefined;
  return typeof reference === 'string' ? reference : undefined;
}

/** Returns the message for an unexpected error, with its reference. */
export function formatUnexpectedError(data?: unknown): string {
  const reference = getReference(data);
  return reference === undefined ? UNEXPECTED_ERROR_MESSAGE : `${UNEXPECTED_ERROR_MESSAGE} Reference: ${reference}`;
}

/** Thrown on public pages when the server rejects a request, or when a proxy responds in its place. */
export class PublicRequestError extends Error {
  readonly code: string;
  readonly data: unknown;

  constructor({ code, message, data }: { code: string; message: string; data?: unknown }) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Sends a GET request from a public page. Public pages don't load the API client. `path` is the contract's path, without '/api'. */
export function getJson<Output>(path: string): Promise<Output> {
  return sendRequest(path, { headers: REQUEST_HEADERS });
}

export function postJson<Output>(path: string, input: unknown): Promise<Output> {
  return sendRequest(path, {
    method: 'POST',
    headers: { ...REQUEST_HEADERS, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
}

async function sendRequest<Output>(path: string, init: RequestInit): Promise<Output> {
  const request = new Request(new URL(`/api${path}`, window.location.origin), init);
  return readResponse(await sendUntilAnswered(() => fetch(request.clone(), { signal: withRequestTimeout(request.signal) })));
}

export async function readResponse<Output>(response: Response): Promise<Output> {
  const body = parseJson(await response.text());
  if (response.ok && body !== undefined) return body as Output;
  throw new PublicRequestError(isErrorBody(body) ? body : { code: 'UNREADABLE_RESPONSE', message: UNEXPECTED_ERROR_MESSAGE });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON, so the body is most likely a proxy's HTML page.
    return undefined;
  }
}

function isErrorBody(body: unknown): body is { code: string; message: string; data?: unknown } {
  return typeof body === 'object' && body !== null && 'code' in body && 'message' in body && typeof body.message === 'string';
}

export function hasPublicErrorCode(error: unknown, code: ErrorCode): error is PublicRequestError {
  return error instanceof PublicRequestError && error.code === code;
}

/** Error codes that come with a message written for customers. */
const USER_FACING_CODES: ReadonlySet<string> = new Set<ErrorCode>([
  'INVALID_INPUT',
  'NOT_FOUND',
  'QUOTE_CLOSED',
  'FORBIDDEN',
  'TOO_MANY_ATTEMPTS',
  'UNAVAILABLE',
]);

/** Returns the reason to insert as '{msg}' into texts such as 'Failed to accept quote: {msg}'. */
export function formatPublicRequestError(error: unknown): string {
  if (error instanceof PublicRequestError)
    return USER_FACING_CODES.has(error.code) ? (findFieldMessage(error) ?? error.message) : formatUnexpectedError(error.data);
  if (error instanceof DOMException && (error.name === 'TimeoutError' || error.name === 'AbortError')) return TIMEOUT_MESSAGE;
  // fetch throws a TypeError if the response is missing or incomplete.
  return error instanceof TypeError ? NO_CONNECTION_MESSAGE : UNEXPECTED_ERROR_MESSAGE;
}

/** Returns the message for the first invalid field, which is more specific than the general message. */
function findFieldMessage({ code, data }: PublicRequestError): string | undefined {
  if (code !== ('INVALID_INPUT' satisfies ErrorCode) || typeof data !== 'object' || data === null || !('fields' in data)) return undefined;
  const [first] = Object.values(data.fields ?? {}) as unknown[];
  return typeof first === 'string' ? first : undefined;
}
