const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 30_000;
/** How long the server can replay past changes. */
const REPLAY_MS = 50_000;
/** A restart of the server is over by then. */
const LOST_MS = 5_000;

export interface LiveHandlers {
  /** Kinds of records that have changed. */
  onChange(topics: readonly string[]): void;
  /** Connected again after a while without a connection: anything may have changed. */
  onMissedChanges(): void;
  /** The server refuses the connection: the session may be over. */
  onRefused(): void;
  onSignedOut(): void;
  /** No connection for a while, and still none. */
  onLost(): void;
}

function topicsOf(data: string): string[] {
  const event: unknown = JSON.parse(data);
  const topics = typeof event === 'object' && event !== null && 'topics' in event ? event.topics : [];
  return Array.isArray(topics) ? topics.filter((topic) => typeof topic === 'string') : [];
}

/** Listens to the server's events and reconnects until stopped. Returns how to stop. */
export function openLiveConnection(handlers: LiveHandlers): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lost: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let missed = false;

  const open = () => {
    // The first connection also asks for the changes since the page started to load its data.
    const pageAgeMs = Math.ceil(performance.now());
    if (pageAgeMs > REPLAY_MS) missed = true;
    source = new EventSource(missed ? '/api/live' : `/api/live?read_ago=${pageAgeMs}`);
    source.addEventListener('open', () => {
      failures = 0;
      clearTimeout(lost);
      lost = undefined;
      if (missed) handlers.onMissedChanges();
      missed = false;
    });
    source.addEventListener('change', (event: MessageEvent<string>) => handlers.onChange(topicsOf(event.data)));
    source.addEventListener('signed-out', () => {
      source?.close();
      handlers.onSignedOut();
    });
    source.addEventListener('error', () => {
      missed = true;
      lost ??= setTimeout(() => {
        lost = undefined;
        handlers.onLost();
      }, LOST_MS);
      // The browser reconnects by itself after a lost connection, but not after a refusal.
      if (source?.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(open, Math.min(FIRST_RETRY_MS * 2 ** failures, MAX_RETRY_MS));
      failures += 1;
      handlers.onRefused();
    });
  };

  open();
  return () => {
    clearTimeout(timer);
    clearTimeout(lost);
    source?.close();
  };
}
