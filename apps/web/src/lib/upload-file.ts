import { answerOf } from './contract-call.ts';
import { isSignedOut } from './error-messages.ts';
import { announceSessionEnd } from './session-end.ts';

/** A few megabytes on two bars of signal. */
const TIMEOUT_MS = 120_000;

/** Sends one file to a route of its own, since calls carry JSON. The caller knows what that route answers. */
export async function uploadFile(path: string, file: File): Promise<unknown> {
  const body = new FormData();
  body.append('file', file);
  try {
    const response = await fetch(`/api${path}`, {
      method: 'PUT',
      body,
      headers: { accept: 'application/json', 'x-callout-client': 'callout-web' },
      credentials: 'same-origin',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return await answerOf(response);
  } catch (error) {
    if (isSignedOut(error)) announceSessionEnd('expired');
    throw error;
  }
}
