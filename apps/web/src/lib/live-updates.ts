import { CancelledError, type InfiniteData, type Query, type QueryClient } from '@tanstack/react-query';
import { openLiveConnection } from './live-connection.ts';
import { createPendingDeletionPredicate, dependsOnTopic } from './query-cache.ts';
import { announceSessionEnd } from './session-end.ts';
import { runInOneTab } from './tab-leader.ts';

/** Time for another tab to report that the user signed out. After that, the session counts as expired. */
const OTHER_TAB_SIGN_OUT_DELAY_MS = 500;
/** Minimum time between two refetches of the same topic. */
const REFETCH_INTERVAL_MS = 1_000;
/** Longer lists are trimmed to this many pages before a refetch. The removed pages load again when the user scrolls. */
const MAX_REFETCHED_PAGES = 10;
const ALL_TOPICS = '*';
/** Sent to other tabs in place of a topic when the connection is lost. */
const CONNECTION_LOST = 'connection lost';
const CHANNEL_NAME = 'callout-live';

/**
 * Refetches data that colleagues change, and all data after a lost connection. One tab holds the connection for all tabs, because browsers
 * allow only six per server. A lost connection calls `onLost` in every tab. Returns a function that disconnects.
 */
export function connectLiveUpdates(queryClient: QueryClient, onLost: () => void): () => void {
  const refetcher = createRefetcher(queryClient);
  const tabs = new BroadcastChannel(CHANNEL_NAME);
  tabs.addEventListener('message', ({ data }: MessageEvent<string[]>) =>
    data[0] === CONNECTION_LOST ? onLost() : refetcher.refetch(data),
  );

  let signOutTimer: ReturnType<typeof setTimeout> | undefined;
  const open = (onChange: (topics: readonly string[]) => void) =>
    openLiveConnection({
      onChange,
      onMissedChanges: () => onChange([ALL_TOPICS]),
      onRejected: () => {
        if (navigator.onLine) refetcher.refetch(['me']);
      },
      onLost: () => {
        // Don't report a lost connection while the browser is offline, because the browser notifies every tab.
        if (!navigator.onLine) return;
        onLost();
        tabs.postMessage([CONNECTION_LOST]);
      },
      onSignedOut: (removedFrom) => {
        signOutTimer = setTimeout(() => announceSessionEnd('expired', false, removedFrom), OTHER_TAB_SIGN_OUT_DELAY_MS);
      },
    });
  const broadcast = (topics: readonly string[]) => {
    refetcher.refetch(topics);
    tabs.postMessage(topics);
  };

  // Without locks, every tab opens its own connection.
  const onChange = (navigator as Partial<Navigator>).locks ? broadcast : refetcher.refetch;
  const stop = runInOneTab(CHANNEL_NAME, (tookOver) => {
    const close = open(onChange);
    // Changes may have been missed between the previous tab's connection and this one, so refetch everything.
    if (tookOver) broadcast([ALL_TOPICS]);
    return close;
  });
  return () => {
    clearTimeout(signOutTimer);
    stop();
    refetcher.stop();
    tabs.close();
  };
}

/** Throttles refetches per topic: the first runs immediately, then at most one per interval. Requests in flight are never canceled. */
function createRefetcher(queryClient: QueryClient) {
  const running = new Set<string>();
  const pending = new Set<string>();
  const stopping = new AbortController();

  const refetchOnce = (topic: string) => {
    const isBeingDeleted = createPendingDeletionPredicate(queryClient);
    const isStale = (query: Query) => topic === ALL_TOPICS || query.queryKey[0] === topic || dependsOnTopic(query, topic);
    const predicate = (query: Query) => isStale(query) && !isBeingDeleted(query);
    // A request sent before the change may return old data, so refetch the topic once more.
    if (queryClient.isFetching({ predicate }) > 0) pending.add(topic);
    for (const query of queryClient.getQueryCache().findAll({ predicate, fetchStatus: 'idle' })) trimPages(queryClient, query);
    const refetched = queryClient.invalidateQueries({ predicate }, { cancelRefetch: false });
    for (const query of queryClient.getQueryCache().findAll({ predicate, fetchStatus: 'fetching' })) {
      // Loading the next page cancels the refetch and leaves the earlier pages stale, so refetch the topic again.
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

/** Number of pages each list needs to restore the user's scroll position. */
const pagesWhenLeft = new WeakMap<Query, number>();

/** Stores how many pages each list needs to restore its scroll position. Call before navigating, while the lists are on screen. */
export function storeVisiblePageCounts(queryClient: QueryClient): void {
  for (const query of queryClient.getQueryCache().findAll({ type: 'active' })) {
    const { data } = query.state;
    if (isInfiniteData(data)) pagesWhenLeft.set(query, countPagesInView(data.pages.length));
  }
}

function trimPages(queryClient: QueryClient, query: Query): void {
  const { data, dataUpdatedAt } = query.state;
  if (!isInfiniteData(data) || data.pages.length <= MAX_REFETCHED_PAGES) return;
  const neededPages = query.isActive() ? countPagesInView(data.pages.length) : (pagesWhenLeft.get(query) ?? data.pages.length);
  const count = Math.max(MAX_REFETCHED_PAGES, neededPages);
  const trimmed = { pages: data.pages.slice(0, count), pageParams: data.pageParams.slice(0, count) };
  queryClient.setQueryData(query.queryKey, trimmed, { updatedAt: dataUpdatedAt });
}

function isInfiniteData(data: unknown): data is InfiniteData<unknown> {
  return typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages) && 'pageParams' in data;
}

/** Estimates how many pages reach down to one window height below the visible area. These pages must not be trimmed. */
function countPagesInView(pages: number): number {
  const { scrollHeight } = document.documentElement;
  return scrollHeight === 0 ? 0 : Math.ceil((pages * (window.scrollY + 2 * window.innerHeight)) / scrollHeight);
}
