import type { ErrorCode } from '@callout/contract/errors';

/** What the client of the application and the small one of public pages have in common: neither the router nor a library is loaded here. */
export const REQUEST_HEADERS = { accept: 'application/json', 'x-callout-client': 'callout-web' };

/** After this a request counts as lost: long enough for two bars of signal, short enough not to be stared at. */
const REQUEST_TIMEOUT_MS = 20_000;

export const withTimeout = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]);

export const NO_CONNECTION = 'Unable to connect to the server. Please check your internet connection and try again.';
export const TOOK_TOO_LONG = 'The request took too long to complete. Please try again.';
export const UNEXPECTED = 'An unexpected error occurred. Please try again later.';

/** A public page's request that the server refused, or that something in between answered in its place. */
export class RefusedRequest extends Error {
  readonly code: string;
  readonly data: unknown;

  constructor({ code, message, data }: { code: string; message: string; data?: unknown }) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** For public pages, which do without the contract's client. The path is the contract's, from '/api'. */
export function getJson<Output>(path: string): Promise<Output> {
  return send(path, { headers: REQUEST_HEADERS });
}

export function postJson<Output>(path: string, input: unknown): Promise<Output> {
  return send(path, {
    method: 'POST',
    headers: { ...REQUEST_HEADERS, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
}

async function send<Output>(path: string, init: RequestInit): Promise<Output> {
  const request = new Request(new URL(`/api${path}`, window.location.origin), init);
  return readResponse(await fetch(request, { signal: withTimeout(request.signal) }));
}

export async function readResponse<Output>(response: Response): Promise<Output> {
  const body = parseJson(await response.text());
  if (response.ok && body !== undefined) return body as Output;
  throw new RefusedRequest(isRefusal(body) ? body : { code: 'UNREADABLE_ANSWER', message: UNEXPECTED });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A proxy's page in place of our answer.
    return undefined;
  }
}

function isRefusal(body: unknown): body is { code: string; message: string; data?: unknown } {
  return typeof body === 'object' && body !== null && 'code' in body && 'message' in body && typeof body.message === 'string';
}

export function isRefusedWith(error: unknown, code: ErrorCode): error is RefusedRequest {
  return error instanceof RefusedRequest && error.code === code;
}

/** Refusals of public calls whose message is for people. */
const READABLE: ReadonlySet<string> = new Set<ErrorCode>([
  'INVALID_INPUT',
  'NOT_FOUND',
  'QUOTE_CLOSED',
  'FORBIDDEN',
  'TOO_MANY_ATTEMPTS',
  'UNAVAILABLE',
]);

/** For the '{msg}' of a text such as 'Failed to accept quote: {msg}'. */
export function requestFailureText(error: unknown): string {
  if (error instanceof RefusedRequest) return READABLE.has(error.code) ? (fieldMessage(error) ?? error.message) : UNEXPECTED;
  if (error instanceof DOMException && (error.name === 'TimeoutError' || error.name === 'AbortError')) return TOOK_TOO_LONG;
  // fetch throws a TypeError when there was no response, or only a part of it.
  return error instanceof TypeError ? NO_CONNECTION : UNEXPECTED;
}

/** What is wrong with the input says more than that something is. */
function fieldMessage({ code, data }: RefusedRequest): string | undefined {
  if (code !== ('INVALID_INPUT' satisfies ErrorCode) || typeof data !== 'object' || data === null || !('fields' in data)) return undefined;
  const [first] = Object.values(data.fields ?? {}) as unknown[];
  return typeof first === 'string' ? first : undefined;
}
