import type { QueryClient } from '@tanstack/react-query';
import { announceSessionEnd } from './session-end.ts';

const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 30_000;
/** A sign-out in another tab tells this one by itself; only without that word has the session been ended elsewhere. */
const OTHER_TAB_MS = 500;
const EVERYTHING = '*';

function topicsOf(data: string): string[] {
  const event: unknown = JSON.parse(data);
  const topics = typeof event === 'object' && event !== null && 'topics' in event ? event.topics : [];
  return Array.isArray(topics) ? topics.filter((topic) => typeof topic === 'string') : [];
}

function refresh(queryClient: QueryClient, topics: readonly string[]): void {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => topics.includes(EVERYTHING) || topics.some((topic) => queryKey[0] === topic),
  });
}

/** Listens for what colleagues change and reads it afresh; after a broken line, everything. Returns how to stop. */
export function connectLive(queryClient: QueryClient): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let missed = false;

  const open = () => {
    source = new EventSource('/api/live');
    source.addEventListener('open', () => {
      failures = 0;
      if (missed) refresh(queryClient, [EVERYTHING]);
      missed = false;
    });
    source.addEventListener('change', (event: MessageEvent<string>) => refresh(queryClient, topicsOf(event.data)));
    source.addEventListener('signed-out', () => {
      timer = setTimeout(() => announceSessionEnd('expired'), OTHER_TAB_MS);
      source?.close();
    });
    source.addEventListener('error', () => {
      missed = true;
      // The browser comes back by itself after a broken line, but not after a refusal: then the session may be over.
      if (source?.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(open, Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS));
      failures += 1;
      if (navigator.onLine) refresh(queryClient, ['me']);
    });
  };

  open();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}
