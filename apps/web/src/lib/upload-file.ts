import { answerOf } from './contract-call.ts';
import { isSignedOut } from './error-messages.ts';
import { announceSessionEnd } from './session-end.ts';

/** A few megabytes on two bars of signal. */
const TIMEOUT_MS = 120_000;

/** Sends one file to a route of its own, since calls carry JSON. The caller knows what that route answers. */
export async function uploadFile(path: string, file: File, onProgress?: (share: number) => void): Promise<unknown> {
  try {
    return await answerOf(await send(path, file, onProgress));
  } catch (error) {
    if (isSignedOut(error)) announceSessionEnd('expired');
    throw error;
  }
}

/** By hand, because fetch does not tell how far an upload has come. It fails as fetch does, so that one mapping words both. */
function send(path: string, file: File, onProgress?: (share: number) => void): Promise<Response> {
  const body = new FormData();
  body.append('file', file);
  const request = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0));
    request.addEventListener('load', () => resolve(new Response(request.responseText, { status: request.status })));
    request.addEventListener('error', () => reject(new TypeError('The upload broke off')));
    request.addEventListener('timeout', () => reject(new DOMException('The upload took too long', 'TimeoutError')));
    request.open('PUT', `/api${path}`);
    request.timeout = TIMEOUT_MS;
    request.setRequestHeader('accept', 'application/json');
    request.setRequestHeader('x-callout-client', 'callout-web');
    request.send(body);
  });
}
