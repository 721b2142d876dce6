import { answerOf } from './contract-call.ts';
import { isSignedOut } from './error-messages.ts';
import { announceSessionEnd } from './session-end.ts';

/** Without progress for this long the connection counts as lost. As a whole an upload may take minutes: 25 MB on two bars of signal. */
const STALL_MS = 90_000;

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
    let stalled: ReturnType<typeof setTimeout> | undefined;
    const keepWaiting = () => {
      clearTimeout(stalled);
      stalled = setTimeout(() => request.abort(), STALL_MS);
    };
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      keepWaiting();
      onProgress?.(total > 0 ? loaded / total : 0);
    });
    request.addEventListener('load', () => resolve(new Response(request.responseText, { status: request.status })));
    request.addEventListener('error', () => reject(new TypeError('The upload broke off')));
    request.addEventListener('abort', () => reject(new DOMException('The upload took too long', 'TimeoutError')));
    request.addEventListener('loadend', () => clearTimeout(stalled));
    request.open('PUT', `/api${path}`);
    keepWaiting();
    request.setRequestHeader('accept', 'application/json');
    request.setRequestHeader('x-callout-client', 'callout-web');
    request.send(body);
  });
}
