import { CancelledError, type InfiniteData, type Query, type QueryClient } from '@tanstack/react-query';
import { openLiveConnection } from './live-connection.ts';
import { isBeingDeleted, refetchesLater, showsTopic } from './query-cache.ts';
import { announceSessionEnd } from './session-end.ts';

/** Signing out in another tab reaches this one by itself; only after that long has the session ended elsewhere. */
const OTHER_TAB_MS = 500;
/** A topic is refetched at most this often. */
const REFETCH_INTERVAL_MS = 1_000;
/** Of a long list only so many pages are refetched; those below load again when somebody scrolls to them. */
const MAX_PAGES = 10;
const EVERYTHING = '*';
/** In place of a topic, from the tab that has the connection to the others. */
const LOST = 'connection lost';
const SHARED = 'callout-live';

/**
 * Refetches what colleagues change; after a lost connection, everything. `onLost`: while it is lost, also when another tab has it.
 * Returns how to stop.
 * One tab has the connection for all: a browser opens only six to a server, so with one per tab the seventh would hang.
 */
export function connectLive(queryClient: QueryClient, onLost: () => void): () => void {
  const refetcher = createRefetcher(queryClient);
  const tabs = new BroadcastChannel(SHARED);
  tabs.addEventListener('message', ({ data }: MessageEvent<string[]>) => (data[0] === LOST ? onLost() : refetcher.refetch(data)));

  let signedOut: ReturnType<typeof setTimeout> | undefined;
  const open = (onChange: (topics: readonly string[]) => void) =>
    openLiveConnection({
      onChange,
      onMissedChanges: () => onChange([EVERYTHING]),
      onRefused: () => {
        if (navigator.onLine) refetcher.refetch(['me']);
      },
      onLost: () => {
        // The browser tells every tab itself that it is offline.
        if (!navigator.onLine) return;
        onLost();
        tabs.postMessage([LOST]);
      },
      onSignedOut: () => {
        signedOut = setTimeout(() => announceSessionEnd('expired'), OTHER_TAB_MS);
      },
    });
  const broadcast = (topics: readonly string[]) => {
    refetcher.refetch(topics);
    tabs.postMessage(topics);
  };

  // Over plain http there are no locks: every tab then has a connection of its own, and hears everything itself.
  const stop =
    'locks' in navigator
      ? runAsLeader((tookOver) => {
          const close = open(broadcast);
          // What was sent between the old connection and the new one is lost.
          if (tookOver) broadcast([EVERYTHING]);
          return close;
        })
      : open(refetcher.refetch);
  return () => {
    clearTimeout(signedOut);
    stop();
    refetcher.stop();
    tabs.close();
  };
}

/** Refetches topics: at once, then at most once per interval, and never twice at the same time. A running request is not cancelled. */
function createRefetcher(queryClient: QueryClient) {
  const running = new Set<string>();
  const pending = new Set<string>();
  const stopping = new AbortController();

  const refetchOnce = (topic: string) => {
    const isGone = isBeingDeleted(queryClient);
    const isOutdated = (query: Query) => topic === EVERYTHING || query.queryKey[0] === topic || showsTopic(query, topic);
    const predicate = (query: Query) => isOutdated(query) && !isGone(query) && !refetchesLater(query);
    // A request that was sent before the change may answer without it.
    if (queryClient.isFetching({ predicate }) > 0) pending.add(topic);
    for (const query of queryClient.getQueryCache().findAll({ predicate, fetchStatus: 'idle' })) dropFarPages(queryClient, query);
    const refetched = queryClient.invalidateQueries({ predicate }, { cancelRefetch: false });
    for (const query of queryClient.getQueryCache().findAll({ predicate, fetchStatus: 'fetching' })) {
      // Cancelled by a request for the next page, which leaves the pages above as they were.
      query.promise?.catch((error: unknown) => {
        if (error instanceof CancelledError && query.isActive()) pending.add(topic);
      });
    }
    return refetched;
  };
  const refetchTopic = async (topic: string) => {
    pending.add(topic);
    if (running.has(topic)) return;
    running.add(topic);
    while (!stopping.signal.aborted && pending.delete(topic)) {
      await Promise.all([refetchOnce(topic), new Promise((resolve) => setTimeout(resolve, REFETCH_INTERVAL_MS))]);
    }
    running.delete(topic);
  };
  return {
    refetch: (topics: readonly string[]) => {
      for (const topic of topics) void refetchTopic(topic);
    },
    stop: () => stopping.abort(),
  };
}

/** How many pages of a list it takes to return to where it was left. */
const pagesWhenLeft = new WeakMap<Query, number>();

/** To be called before a page is left, while its lists are still on screen. */
export function rememberPagesInView(queryClient: QueryClient): void {
  for (const query of queryClient.getQueryCache().findAll({ type: 'active' })) {
    const { data } = query.state;
    if (isInfinite(data)) pagesWhenLeft.set(query, pagesInView(data.pages.length));
  }
}

function dropFarPages(queryClient: QueryClient, query: Query): void {
  const { data, dataUpdatedAt } = query.state;
  if (!isInfinite(data) || data.pages.length <= MAX_PAGES) return;
  const needed = query.isActive() ? pagesInView(data.pages.length) : (pagesWhenLeft.get(query) ?? data.pages.length);
  const kept = Math.max(MAX_PAGES, needed);
  const shortened = { pages: data.pages.slice(0, kept), pageParams: data.pageParams.slice(0, kept) };
  queryClient.setQueryData(query.queryKey, shortened, { updatedAt: dataUpdatedAt });
}

function isInfinite(data: unknown): data is InfiniteData<unknown> {
  return typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages) && 'pageParams' in data;
}

/** How many pages of a list reach down to the end of the window, and a little further: what somebody looks at must not disappear. */
function pagesInView(pages: number): number {
  const { scrollHeight } = document.documentElement;
  return scrollHeight === 0 ? 0 : Math.ceil((pages * (window.scrollY + 2 * window.innerHeight)) / scrollHeight);
}

/** Leader election: runs in one tab, and in the next one when that closes. Returns how to stop. */
function runAsLeader(run: (tookOver: boolean) => () => void): () => void {
  const stopping = new AbortController();
  const stopped = new Promise<void>((resolve) => {
    stopping.signal.addEventListener('abort', () => resolve());
  });
  const lead = async (tookOver: boolean) => {
    const stop = run(tookOver);
    await stopped;
    stop();
  };
  const waitForLock = async () => {
    const isFirst = await navigator.locks.request(SHARED, { ifAvailable: true }, async (lock) => {
      if (lock) await lead(false);
      return lock !== null;
    });
    if (!isFirst) await navigator.locks.request(SHARED, { signal: stopping.signal }, () => lead(true));
  };
  // Rejects only when it is stopped while it waits.
  waitForLock().catch(() => undefined);
  return () => stopping.abort();
}
