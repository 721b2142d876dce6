import { setTimeout as pause } from 'node:timers/promises';
import type { LoadRecord } from './load-record.ts';

/**
 * The page's own rules for requests that fail, from `apps/web/src/lib/request.ts` and `query-client.ts`. They decide which failures a person
 * sees. A test compares them with the page's.
 */
const REQUEST_TIMEOUT_MS = 20_000;
const MAX_RETRIES = { read: 3, write: 0 } as const;
const FIRST_RETRY_DELAY_MS = 1_000;

/** Returns true if the page sends the request again. The status is 0 if there was no answer. */
export function shouldSendAgain(kind: 'read' | 'write', failures: number, status: number): boolean {
  const isTemporary = status === 0 || status >= 500;
  return isTemporary && failures < MAX_RETRIES[kind];
}

export const getRetryDelayMs = (failures: number) => FIRST_RETRY_DELAY_MS * 2 ** failures;

export interface PageRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: object | FormData;
}

export interface PageAnswer {
  readonly status: number;
  readonly body: unknown;
  /** The session cookie, if the answer sets one. */
  readonly cookie: string;
}

/** An answer that the page shows to the person as an error, or no answer at all. */
export class VisibleFailure extends Error {}

/** Sends a request as the page does: what fails for a moment is sent again before the person sees a failure. */
export async function sendAsPage(url: string, cookie: string, request: PageRequest, record: LoadRecord): Promise<PageAnswer> {
  const kind = request.method === 'GET' ? 'read' : 'write';
  for (let failures = 0; ; failures += 1) {
    record.countRequest();
    const answer = await sendOnce(url, cookie, request);
    if (answer.status > 0 && answer.status < 400) return answer;
    if (!shouldSendAgain(kind, failures, answer.status)) throw new VisibleFailure(describeFailure(request, answer));
    await pause(getRetryDelayMs(failures));
  }
}

async function sendOnce(url: string, cookie: string, { method, path, body }: PageRequest): Promise<PageAnswer> {
  const isForm = body instanceof FormData;
  try {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        accept: 'application/json',
        'x-callout-client': 'callout-web',
        ...(cookie && { cookie }),
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const text = await response.text();
    const cookies = response.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
    return { status: response.status, body: parseJson(text), cookie: cookies.join('; ') };
  } catch (error) {
    return { status: 0, body: error instanceof Error ? { message: error.name } : undefined, cookie: '' };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Names the call, not the record, so that equal failures can be counted. */
function describeFailure({ method, path }: PageRequest, { status, body }: PageAnswer): string {
  const message = typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : '';
  const call = `${method} ${path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '{id}').replace(/\?.*/, '')}`;
  return `${call}: ${status === 0 ? 'no answer' : status}${message && ` ${message}`}`;
}
