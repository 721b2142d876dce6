import { endSessionWhenSignedOut } from './api.ts';
import { callErrorFrom } from './error-messages.ts';
import { requestHeaders } from './request-person.ts';

/** Without progress for this long the connection counts as lost. As a whole an upload may take minutes: 25 MB on two bars of signal. */
const STALL_TIMEOUT_MS = 90_000;

/** Sends one file to a route of its own, since calls carry JSON. The caller knows what that route responds with. An abort by `signal` fails as one of fetch does. */
export function uploadFile(path: string, file: File, onProgress?: (share: number) => void, signal?: AbortSignal): Promise<unknown> {
  return endSessionWhenSignedOut(send(path, file, onProgress, signal).then(readJson));
}

function readJson({ status, responseText }: XMLHttpRequest): unknown {
  let body: unknown;
  try {
    body = responseText === '' ? undefined : JSON.parse(responseText);
  } catch {
    throw callErrorFrom(undefined, status);
  }
  if (status >= 400) throw callErrorFrom(body, status);
  return body;
}

/** With XMLHttpRequest, because fetch reports no upload progress. It fails as fetch does, so that one mapping has the texts for both. */
function send(path: string, file: File, onProgress?: (share: number) => void, signal?: AbortSignal): Promise<XMLHttpRequest> {
  const body = new FormData();
  body.append('file', file);
  const request = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    let stalled: ReturnType<typeof setTimeout> | undefined;
    const cancelled = () => new DOMException('The upload was cancelled', 'AbortError');
    if (signal?.aborted) return reject(cancelled());
    const cancel = () => request.abort();
    signal?.addEventListener('abort', cancel);
    const keepWaiting = () => {
      clearTimeout(stalled);
      stalled = setTimeout(() => request.abort(), STALL_TIMEOUT_MS);
    };
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      keepWaiting();
      onProgress?.(total > 0 ? loaded / total : 0);
    });
    request.addEventListener('load', () => resolve(request));
    request.addEventListener('error', () => reject(new TypeError('The upload was interrupted')));
    request.addEventListener('abort', () => {
      reject(signal?.aborted ? cancelled() : new DOMException('The upload took too long', 'TimeoutError'));
    });
    request.addEventListener('loadend', () => {
      clearTimeout(stalled);
      signal?.removeEventListener('abort', cancel);
    });
    request.open('PUT', `/api${path}`);
    keepWaiting();
    for (const [name, value] of Object.entries(requestHeaders())) request.setRequestHeader(name, value);
    request.send(body);
  });
}
