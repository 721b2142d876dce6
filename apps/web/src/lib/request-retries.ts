/**
 * The page's rules for requests that fail for a moment: while a server restarts or another database becomes the primary. The cluster's load
 * uses them too, so that it counts only the failures that people see. Public pages load this file, so it must not import a library.
 */

/** A new primary or a restarted server takes a few seconds, so people wait instead of reading an error. */
const MAX_RETRIES = 6;
const FIRST_RETRY_DELAY_MS = 500;
const MAX_RETRY_DELAY_MS = 4_000;
/** The sum of all delays. A command whose attempts are slow is sent fewer times. */
let maxRetryTimeMs = 15_500;
/** An unexpected error rarely goes away. */
const MAX_RETRIES_AFTER_FAULT = 3;

/** Tests shorten the time in which a command is sent again. */
export function setMaxRetryTime(ms: number): void {
  maxRetryTimeMs = ms;
}

/** Exponential backoff: 0.5, 1, 2, 4, 4 and 4 seconds. */
export function getRetryDelayMs(failures: number): number {
  return Math.min(FIRST_RETRY_DELAY_MS * 2 ** failures, MAX_RETRY_DELAY_MS);
}

/** Returns true if a read is sent again. The status is 0 if there was no response. */
export function shouldReadAgain(failures: number, status: number): boolean {
  if (status > 0 && status < 500) return false;
  return failures < (isTemporary(status) ? MAX_RETRIES : MAX_RETRIES_AFTER_FAULT);
}

/** A proxy or the server itself answers with one of these statuses when nothing can be served at the moment. */
const isTemporary = (status: number) => status === 0 || (status >= 502 && status <= 504);

/**
 * Sends a command until it is answered. It has the same id or version each time, so the server carries it out only once, even if only the
 * answer was lost. A request that timed out is not repeated, and offline there is nothing to wait for.
 */
export async function sendUntilAnswered<Answer extends { readonly status: number }>(
  send: () => Promise<Answer>,
  signal?: AbortSignal,
): Promise<Answer> {
  const lastRetryAt = performance.now() + maxRetryTimeMs;
  for (let failures = 0; ; failures += 1) {
    const delayMs = getRetryDelayMs(failures);
    const isLast = () => failures >= MAX_RETRIES || performance.now() + delayMs > lastRetryAt;
    try {
      const answer = await send();
      if (!isTemporary(answer.status) || isLast()) return answer;
    } catch (error) {
      // fetch throws a TypeError if the response is missing or incomplete.
      if (!(error instanceof TypeError) || isOffline() || isLast()) throw error;
    }
    await pause(delayMs, signal);
  }
}

/** The cluster's load runs in Node, which doesn't know whether it is offline. */
const isOffline = () => 'onLine' in navigator && !navigator.onLine;

/** Waits, and throws as fetch does if the request is canceled in the meantime. */
function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, delayMs);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      },
      { once: true },
    );
  });
}
