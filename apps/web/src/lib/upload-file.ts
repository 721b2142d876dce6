import { endSessionWhenSignedOut } from './api.ts';
import { toCallError } from './error-messages.ts';
import { getRequestHeaders } from './request-identity.ts';
import { sendUntilAnswered } from './request-retries.ts';

/** Limits the time without progress rather than the whole upload, because 25 MB can take minutes on a weak signal. */
const STALL_TIMEOUT_MS = 90_000;

/** Uploads one file to a separate route, because contract calls carry only JSON. Aborting `signal` rejects with the same error as fetch. */
export function uploadFile(path: string, file: File, onProgress?: (fraction: number) => void, signal?: AbortSignal): Promise<unknown> {
  return endSessionWhenSignedOut(sendUntilAnswered(() => send(path, file, onProgress, signal), signal).then(readJson));
}

/** For the outbox, which repeats its uploads itself. */
export const uploadFileOnce = (path: string, file: File) => endSessionWhenSignedOut(send(path, file).then(readJson));

function readJson({ status, responseText }: XMLHttpRequest): unknown {
  let body: unknown;
  try {
    body = responseText === '' ? undefined : JSON.parse(responseText);
  } catch {
    throw toCallError(undefined, status);
  }
  if (status >= 400) throw toCallError(body, status);
  return body;
}

/** Uses XMLHttpRequest, because fetch reports no upload progress. Throws the same errors as fetch, so that users see the same messages. */
function send(path: string, file: File, onProgress?: (fraction: number) => void, signal?: AbortSignal): Promise<XMLHttpRequest> {
  const body = new FormData();
  body.append('file', file);
  const request = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    let stallTimer: ReturnType<typeof setTimeout> | undefined;
    const createAbortError = () => new DOMException('The upload was canceled', 'AbortError');
    if (signal?.aborted) return reject(createAbortError());
    const cancel = () => request.abort();
    signal?.addEventListener('abort', cancel);
    const restartStallTimer = () => {
      clearTimeout(stallTimer);
      stallTimer = setTimeout(() => request.abort(), STALL_TIMEOUT_MS);
    };
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      restartStallTimer();
      onProgress?.(total > 0 ? loaded / total : 0);
    });
    request.addEventListener('load', () => resolve(request));
    request.addEventListener('error', () => reject(new TypeError('The upload was interrupted')));
    request.addEventListener('abort', () => {
      reject(signal?.aborted ? createAbortError() : new DOMException('The upload took too long', 'TimeoutError'));
    });
    request.addEventListener('loadend', () => {
      clearTimeout(stallTimer);
      signal?.removeEventListener('abort', cancel);
    });
    request.open('PUT', `/api${path}`);
    restartStallTimer();
    for (const [name, value] of Object.entries(getRequestHeaders())) request.setRequestHeader(name, value);
    request.send(body);
  });
}
