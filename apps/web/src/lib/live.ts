import type { QueryClient } from '@tanstack/react-query';
import { openLiveLine } from './live-line.ts';
import { announceSessionEnd } from './session-end.ts';

/** A sign-out in another tab tells this one by itself; only without that word has the session been ended elsewhere. */
const OTHER_TAB_MS = 500;
const EVERYTHING = '*';
const SHARED = 'callout-live';

function refresh(queryClient: QueryClient, topics: readonly string[]): void {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => topics.includes(EVERYTHING) || topics.some((topic) => queryKey[0] === topic),
  });
}

/**
 * Listens for what colleagues change and reads it afresh; after a broken line, everything. Returns how to stop.
 * One tab holds the line for all of them: a browser opens only six to a server, and with a line each the seventh tab would hang.
 */
export function connectLive(queryClient: QueryClient): () => void {
  const tabs = new BroadcastChannel(SHARED);
  const told = (topics: readonly string[]) => {
    refresh(queryClient, topics);
    tabs.postMessage(topics);
  };
  tabs.addEventListener('message', ({ data }: MessageEvent<string[]>) => refresh(queryClient, data));

  let signedOut: ReturnType<typeof setTimeout> | undefined;
  const open = () =>
    openLiveLine({
      changed: told,
      missed: () => told([EVERYTHING]),
      refused: () => {
        if (navigator.onLine) refresh(queryClient, ['me']);
      },
      signedOut: () => {
        signedOut = setTimeout(() => announceSessionEnd('expired'), OTHER_TAB_MS);
      },
    });

  const stop = holdWhileFirst(open, () => told([EVERYTHING]));
  return () => {
    clearTimeout(signedOut);
    stop();
    tabs.close();
  };
}

/** Opens in the first tab; when that one closes, in the next, which cannot know what it missed. Without locks (plain http) in every tab. */
function holdWhileFirst(open: () => () => void, tookOver: () => void): () => void {
  if (!('locks' in navigator)) return open();
  const stopping = new AbortController();
  const ended = new Promise<void>((resolve) => {
    stopping.signal.addEventListener('abort', () => resolve());
  });
  const hold = async (waited: boolean) => {
    const close = open();
    if (waited) tookOver();
    await ended;
    close();
  };
  const waitForTurn = async () => {
    const first = await navigator.locks.request(SHARED, { ifAvailable: true }, async (lock) => {
      if (lock) await hold(false);
      return lock !== null;
    });
    if (!first) await navigator.locks.request(SHARED, { signal: stopping.signal }, () => hold(true));
  };
  // Stopped while waiting: the only way this ends early.
  waitForTurn().catch(() => undefined);
  return () => stopping.abort();
}
