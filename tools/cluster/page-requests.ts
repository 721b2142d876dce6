import { setTimeout as pause } from 'node:timers/promises';
import { getRetryDelayMs, sendUntilAnswered, shouldReadAgain } from '../../apps/web/src/lib/request-retries.ts';
import type { LoadRecord } from './load-record.ts';

const REQUEST_TIMEOUT_MS = 20_000;

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

/** Sends a request as the page does, with the page's own retries, so that only what a person sees is a failure. */
export async function sendAsPage(url: string, cookie: string, request: PageRequest, record: LoadRecord): Promise<PageAnswer> {
  let lastAnswer: PageAnswer | undefined;
  const send = async () => {
    record.countRequest();
    if (lastAnswer) record.countRepeat(describeFailure(request, lastAnswer));
    const answer = sendOnce(url, cookie, request);
    lastAnswer = await answer.catch(toMissingAnswer);
    return answer;
  };
  const answer = await (request.method === 'GET' ? readAsPage(send) : sendUntilAnswered(send)).catch(toMissingAnswer);
  if (answer.status > 0 && answer.status < 400) return answer;
  throw new VisibleFailure(describeFailure(request, answer));
}

/** Reads again as the page's query client does. */
async function readAsPage(send: () => Promise<PageAnswer>): Promise<PageAnswer> {
  for (let failures = 0; ; failures += 1) {
    const answer = await send().catch(toMissingAnswer);
    if (!shouldReadAgain(failures, answer.status)) return answer;
    await pause(getRetryDelayMs(failures));
  }
}

const toMissingAnswer = (error: unknown): PageAnswer => ({
  status: 0,
  body: error instanceof Error ? { message: error.name } : undefined,
  cookie: '',
});

async function sendOnce(url: string, cookie: string, { method, path, body }: PageRequest): Promise<PageAnswer> {
  const isForm = body instanceof FormData;
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
