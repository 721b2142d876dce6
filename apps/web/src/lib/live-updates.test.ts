import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connectLiveUpdates, storeVisiblePageCounts } from './live-updates.ts';
import { DELETE_MUTATION_KEY } from './query-cache.ts';

/** Open live connections of all tabs. */
const connections = new Set<FakeEventSource>();

class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  readyState = 1;
  constructor() {
    super();
    connections.add(this);
  }
  close(): void {
    connections.delete(this);
  }
}

function sendChange(...topics: string[]): void {
  const data = JSON.stringify({ topics });
  for (const connection of connections) connection.dispatchEvent(new MessageEvent('change', { data }));
}

/** Delivers messages to all other tabs synchronously. */
class FakeBroadcastChannel extends EventTarget {
  static readonly all = new Set<FakeBroadcastChannel>();
  readonly name: string;
  constructor(name: string) {
    super();
    this.name = name;
    FakeBroadcastChannel.all.add(this);
  }
  postMessage(data: unknown): void {
    const others = [...FakeBroadcastChannel.all].filter((other) => other !== this && other.name === this.name);
    for (const other of others) other.dispatchEvent(new MessageEvent('message', { data }));
  }
  close(): void {
    FakeBroadcastChannel.all.delete(this);
  }
}

const cleanups: (() => void)[] = [];
/** Query clients of the tabs that were notified about a lost connection. */
const lostTabs: QueryClient[] = [];

/** Opens a tab that shows the customers. `reads` counts its requests, and each response takes `responseMs`. */
async function openTab({ responseMs = 10 } = {}) {
  const queryClient = new QueryClient();
  const reads = { started: 0, canceled: 0 };
  const list = new QueryObserver(queryClient, {
    queryKey: ['customers', 'list'],
    meta: { topics: ['visits'] },
    queryFn: async ({ signal }) => {
      reads.started += 1;
      signal.addEventListener('abort', () => {
        reads.canceled += 1;
      });
      await new Promise((resolve) => setTimeout(resolve, responseMs));
      return reads.started;
    },
  });
  cleanups.push(
    list.subscribe(() => undefined),
    connectLiveUpdates(queryClient, () => void lostTabs.push(queryClient)),
    () => queryClient.clear(),
  );
  await vi.advanceTimersByTimeAsync(responseMs);
  reads.started = 0;
  return { reads, queryClient };
}

/** Opens an infinite list. The data of each page is its page number. */
async function openLongList({ responseMs = 0 } = {}) {
  const { queryClient } = await openTab();
  const requested: number[] = [];
  const list = new InfiniteQueryObserver(queryClient, {
    queryKey: ['customers', 'pages'],
    queryFn: async ({ pageParam }) => {
      requested.push(pageParam);
      if (responseMs > 0) await new Promise((resolve) => setTimeout(resolve, responseMs));
      return pageParam;
    },
    initialPageParam: 0,
    getNextPageParam: (page: number) => page + 1,
  });
  const close = list.subscribe(() => undefined);
  cleanups.push(close);
  await vi.advanceTimersByTimeAsync(responseMs);
  return { queryClient, list, requested, close };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', FakeEventSource);
  vi.stubGlobal('BroadcastChannel', FakeBroadcastChannel);
  vi.stubGlobal('navigator', { onLine: true });
});

afterEach(() => {
  for (const close of cleanups.splice(0).toReversed()) close();
  lostTabs.length = 0;
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('a lost connection', () => {
  const dispatchToAll = (type: 'error' | 'open') => {
    for (const connection of connections) connection.dispatchEvent(new Event(type));
  };

  test('is reported after five seconds, and again while the connection stays lost', async () => {
    const { queryClient } = await openTab();
    dispatchToAll('error');
    await vi.advanceTimersByTimeAsync(4_000);
    expect(lostTabs).toEqual([]);
    dispatchToAll('error');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(lostTabs).toEqual([queryClient]);
    dispatchToAll('error');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(lostTabs).toEqual([queryClient, queryClient]);
  });

  test('is not reported if the connection recovers quickly or the browser itself is offline', async () => {
    await openTab();
    dispatchToAll('error');
    dispatchToAll('open');
    await vi.advanceTimersByTimeAsync(10_000);
    vi.stubGlobal('navigator', { onLine: false });
    dispatchToAll('error');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(lostTabs).toEqual([]);
  });
});

describe('live updates', () => {
  test('refetch a changed topic immediately, and no other topic', async () => {
    const { reads } = await openTab();
    sendChange('staff');
    await vi.advanceTimersByTimeAsync(0);
    expect(reads.started).toBe(0);
    sendChange('customers');
    await vi.advanceTimersByTimeAsync(0);
    expect(reads.started).toBe(1);
  });

  test('refetch a query when any other topic in its meta changes', async () => {
    const { reads } = await openTab();
    sendChange('visits');
    await vi.advanceTimersByTimeAsync(0);
    expect(reads.started).toBe(1);
  });

  test('cause two refetches for twenty changes in a row: one immediately, one after the last', async () => {
    const { reads } = await openTab();
    for (let change = 0; change < 20; change += 1) {
      sendChange('customers');
      await vi.advanceTimersByTimeAsync(5);
    }
    await vi.advanceTimersByTimeAsync(5_000);
    expect(reads).toEqual({ started: 2, canceled: 0 });
  });

  test('refetch once more after a slow refetch instead of canceling it when another change arrives', async () => {
    const { reads } = await openTab({ responseMs: 3_000 });
    for (let change = 0; change < 5; change += 1) {
      sendChange('customers');
      await vi.advanceTimersByTimeAsync(500);
    }
    expect(reads).toEqual({ started: 1, canceled: 0 });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(reads).toEqual({ started: 2, canceled: 0 });
  });

  test('refetch again if a request was already running when the change arrived', async () => {
    const { reads, queryClient } = await openTab({ responseMs: 3_000 });
    void queryClient.refetchQueries({ queryKey: ['customers'] });
    sendChange('customers');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(reads).toEqual({ started: 2, canceled: 0 });
  });

  test('do not refetch a record that is being deleted, unless the deletion fails', async () => {
    const { queryClient, reads } = await openTab();
    const read = vi.fn(() => 'Ana');
    cleanups.push(new QueryObserver(queryClient, { queryKey: ['customers', 'detail', 'ana'], queryFn: read }).subscribe(() => undefined));
    await vi.advanceTimersByTimeAsync(0);
    let fail: () => void = () => undefined;
    const remove = queryClient.getMutationCache().build(queryClient, {
      mutationKey: DELETE_MUTATION_KEY,
      mutationFn: () =>
        new Promise((_resolve, reject) => {
          fail = () => reject(new Error('No'));
        }),
    });
    const removing = remove.execute({ id: 'ana' }).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(0);
    sendChange('customers');
    await vi.advanceTimersByTimeAsync(5_000);
    expect([reads.started, read.mock.calls.length]).toEqual([1, 1]);
    fail();
    await removing;
    sendChange('customers');
    await vi.advanceTimersByTimeAsync(5_000);
    expect([reads.started, read.mock.calls.length]).toEqual([2, 2]);
  });

  test('refetch at most ten pages of a long list', async () => {
    const { list, requested } = await openLongList();
    for (let page = 0; page < 30; page += 1) await list.fetchNextPage();
    requested.length = 0;
    sendChange('customers');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(requested).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('keep the pages that a long list needs to restore its scroll position', async () => {
    const { list, close, queryClient } = await openLongList();
    for (let page = 0; page < 29; page += 1) await list.fetchNextPage();
    const pages = () => queryClient.getQueryData<{ pages: number[] }>(['customers', 'pages'])?.pages.length;
    vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockReturnValue(30_000);
    vi.spyOn(window, 'innerHeight', 'get').mockReturnValue(1_000);
    vi.spyOn(window, 'scrollY', 'get').mockReturnValue(18_000);
    storeVisiblePageCounts(queryClient);
    close();
    vi.restoreAllMocks();
    sendChange('customers');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(pages()).toBe(20);
  });

  test('repeat a refetch that loading the next page has canceled', async () => {
    const { list, requested } = await openLongList({ responseMs: 3_000 });
    sendChange('customers');
    await vi.advanceTimersByTimeAsync(1_000);
    requested.length = 0;
    void list.fetchNextPage();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(requested).toEqual([1, 0, 1]);
  });
});

describe('several tabs', () => {
  test('each open their own connection and refetch once per change when Web Locks are unavailable', async () => {
    const tabs = [await openTab(), await openTab(), await openTab()];
    expect(connections.size).toBe(3);
    sendChange('customers');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(tabs.map(({ reads }) => reads.started)).toEqual([1, 1, 1]);
  });

  test('share one connection through a leader when Web Locks are available', async () => {
    // The first tab gets the lock. The other tabs wait for the lock until the test ends.
    let isTaken = false;
    const request = async (_name: string, options: { ifAvailable?: boolean }, run: (lock: object | null) => Promise<unknown>) => {
      if (!options.ifAvailable) return new Promise(() => undefined);
      const lock = isTaken ? null : {};
      isTaken = true;
      return run(lock);
    };
    vi.stubGlobal('navigator', { onLine: true, locks: { request } });
    const tabs = [await openTab(), await openTab(), await openTab()];
    expect(connections.size).toBe(1);
    sendChange('customers');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(tabs.map(({ reads }) => reads.started)).toEqual([1, 1, 1]);
  });
});
