const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 30_000;
/** How long the server remembers what it told. */
const REMEMBERED_MS = 50_000;

export interface LiveEars {
  /** Which kinds of records changed. */
  changed(topics: readonly string[]): void;
  /** The line was gone for a while: anything may have changed. */
  missed(): void;
  /** The server refuses the line: the session may be over. */
  refused(): void;
  signedOut(): void;
}

function topicsOf(data: string): string[] {
  const event: unknown = JSON.parse(data);
  const topics = typeof event === 'object' && event !== null && 'topics' in event ? event.topics : [];
  return Array.isArray(topics) ? topics.filter((topic) => typeof topic === 'string') : [];
}

/** The server's events, again and again until stopped. */
export function openLiveLine(ears: LiveEars): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let missed = false;

  const open = () => {
    // The first time, what changed since this page began to read is told too; the server remembers it that long.
    const readAgo = Math.ceil(performance.now());
    if (readAgo > REMEMBERED_MS) missed = true;
    source = new EventSource(missed ? '/api/live' : `/api/live?read_ago=${readAgo}`);
    source.addEventListener('open', () => {
      failures = 0;
      if (missed) ears.missed();
      missed = false;
    });
    source.addEventListener('change', (event: MessageEvent<string>) => ears.changed(topicsOf(event.data)));
    source.addEventListener('signed-out', () => {
      source?.close();
      ears.signedOut();
    });
    source.addEventListener('error', () => {
      missed = true;
      // The browser comes back by itself after a broken line, but not after a refusal.
      if (source?.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(open, Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS));
      failures += 1;
      ears.refused();
    });
  };

  open();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}
