import { getRemovedFrom } from './error-messages.ts';

const FIRST_RETRY_DELAY_MS = 2_000;
const MAX_RETRY_DELAY_MS = 30_000;
/** How far back the server can replay changes. If the page is older, some changes may have been missed. */
const REPLAY_WINDOW_MS = 50_000;
/** Longer than a server restart takes, so that a restart isn't reported as a lost connection. */
const LOST_DELAY_MS = 5_000;

export interface LiveHandlers {
  /** Called with the topics whose records have changed. */
  onChange(topics: readonly string[]): void;
  /** Called when the connection is restored. Any record may have changed in the meantime. */
  onMissedChanges(): void;
  /** Called if the server rejects the connection. The session may have ended. */
  onRejected(): void;
  /** `removedFrom` is the name of the company if the person was removed from it. */
  onSignedOut(removedFrom: string | undefined): void;
  /** Called once the connection has been lost for `LOST_DELAY_MS`, and again while it stays lost. */
  onLost(): void;
}

/** Tolerates an event without data, because a proxy may send one. */
const parseEvent = (data: string | undefined): unknown => (data ? JSON.parse(data) : {});

function parseTopics(data: string): string[] {
  const event = parseEvent(data);
  const topics = typeof event === 'object' && event !== null && 'topics' in event ? event.topics : [];
  return Array.isArray(topics) ? topics.filter((topic) => typeof topic === 'string') : [];
}

/** Listens to the server's events and reconnects after failures. Returns a function that closes the connection. */
export function openLiveConnection(handlers: LiveHandlers): () => void {
  let source: EventSource | undefined;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let lostTimer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let hasMissedChanges = false;

  const open = () => {
    // Also request the changes made since the page started loading, because its first reads may have missed them.
    const pageAgeMs = Math.ceil(performance.now());
    if (pageAgeMs > REPLAY_WINDOW_MS) hasMissedChanges = true;
    source = new EventSource(hasMissedChanges ? '/api/live' : `/api/live?read_ago=${pageAgeMs}`);
    source.addEventListener('open', () => {
      failures = 0;
      clearTimeout(lostTimer);
      lostTimer = undefined;
      if (hasMissedChanges) handlers.onMissedChanges();
      hasMissedChanges = false;
    });
    source.addEventListener('change', (event: MessageEvent<string>) => handlers.onChange(parseTopics(event.data)));
    source.addEventListener('signed-out', (event: MessageEvent<string>) => {
      source?.close();
      handlers.onSignedOut(getRemovedFrom(parseEvent(event.data)));
    });
    source.addEventListener('error', () => {
      hasMissedChanges = true;
      lostTimer ??= setTimeout(() => {
        lostTimer = undefined;
        handlers.onLost();
      }, LOST_DELAY_MS);
      // EventSource reconnects automatically after a lost connection, but not if the server rejected the connection.
      if (source?.readyState !== EventSource.CLOSED) return;
      retryTimer = setTimeout(open, Math.min(FIRST_RETRY_DELAY_MS * 2 ** failures, MAX_RETRY_DELAY_MS));
      failures += 1;
      handlers.onRejected();
    });
  };

  open();
  return () => {
    clearTimeout(retryTimer);
    clearTimeout(lostTimer);
    source?.close();
  };
}
