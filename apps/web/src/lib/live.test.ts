import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connectLive, rememberPagesInView } from './live.ts';
import { DELETING, updateOptimistically } from './query-cache.ts';

/** The server's side of every live connection that a tab has opened. */
const connections = new Set<PlayedEventSource>();

class PlayedEventSource extends EventTarget {
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

/** All tabs hear each other at once. */
class PlayedChannel extends EventTarget {
  static readonly all = new Set<PlayedChannel>();
  constructor() {
    super();
    PlayedChannel.all.add(this);
  }
  postMessage(data: unknown): void {
    for (const other of PlayedChannel.all) if (other !== this) other.dispatchEvent(new MessageEvent('message', { data }));
  }
  close(): void {
    PlayedChannel.all.delete(this);
  }
}

const closing: (() => void)[] = [];
/** The tabs that have heard that the connection is lost. */
const lost: QueryClient[] = [];

/** A tab that shows the customers. `reads` counts how often they were requested; each response comes after `responseMs`. */
async function openTab({ responseMs = 10 } = {}) {
  const queryClient = new QueryClient();
  const reads = { started: 0, cancelled: 0 };
  const list = new QueryObserver(queryClient, {
    queryKey: ['customers', 'list'],
    meta: { topics: ['visits'] },
    queryFn: async ({ signal }) => {
      reads.started += 1;
      signal.addEventListener('abort', () => {
        reads.cancelled += 1;
      });
      await new Promise((resolve) => setTimeout(resolve, responseMs));
      return reads.started;
    },
  });
  closing.push(
    list.subscribe(() => undefined),
    connectLive(queryClient, () => void lost.push(queryClient)),
    () => queryClient.clear(),
  );
  await vi.advanceTimersByTimeAsync(responseMs);
  reads.started = 0;
  return { reads, queryClient };
}

/** A list of pages; each page is its number. */
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
  closing.push(close);
  await vi.advanceTimersByTimeAsync(responseMs);
  return { queryClient, list, requested, close };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', PlayedEventSource);
  vi.stubGlobal('BroadcastChannel', PlayedChannel);
  vi.stubGlobal('navigator', { onLine: true });
});

afterEach(() => {
  for (const close of closing.splice(0).toReversed()) close();
  lost.length = 0;
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('a lost connection', () => {
  const happens = (type: 'error' | 'open') => {
    for (const connection of connections) connection.dispatchEvent(new Event(type));
  };

  test('is told after some seconds without one, and again while it lasts', async () => {
    const { queryClient } = await openTab();
    happens('error');
    await vi.advanceTimersByTimeAsync(4_000);
    expect(lost).toEqual([]);
    happens('error');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(lost).toEqual([queryClient]);
    happens('error');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(lost).toEqual([queryClient, queryClient]);
  });

  test('is not told when it is soon back, nor where the browser says so itself', async () => {
    await openTab();
    happens('error');
    happens('open');
    await vi.advanceTimersByTimeAsync(10_000);
    vi.stubGlobal('navigator', { onLine: false });
    happens('error');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(lost).toEqual([]);
  });
});

describe('live updates', () => {
  test('a single change is shown at once, and other topics are left alone', async () => {
    const { reads } = await openTab();
    sendChange('staff');
    await vi.advanceTimersByTimeAsync(0);
    expect(reads.started).toBe(0);
    sendChange('customers');
    await vi.advanceTimersByTimeAsync(0);
    expect(reads.started).toBe(1);
  });

  test('a page that shows several kinds of records hears of each', async () => {
    const { reads } = await openTab();
    sendChange('visits');
    await vi.advanceTimersByTimeAsync(0);
    expect(reads.started).toBe(1);
  });

  test('twenty changes in a row cause two refetches: one at once, one after the last', async () => {
    const { reads } = await openTab();
    for (let change = 0; change < 20; change += 1) {
      sendChange('customers');
      await vi.advanceTimersByTimeAsync(5);
    }
    await vi.advanceTimersByTimeAsync(5_000);
    expect(reads).toEqual({ started: 2, cancelled: 0 });
  });

  test('a slow refetch is not cancelled by the next change, and is followed by one more', async () => {
    const { reads } = await openTab({ responseMs: 3_000 });
    for (let change = 0; change < 5; change += 1) {
      sendChange('customers');
      await vi.advanceTimersByTimeAsync(500);
    }
    expect(reads).toEqual({ started: 1, cancelled: 0 });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(reads).toEqual({ started: 2, cancelled: 0 });
  });

  test('a change during a request that started before it is not missed', async () => {
    const { reads, queryClient } = await openTab({ responseMs: 3_000 });
    void queryClient.refetchQueries({ queryKey: ['customers'] });
    sendChange('customers');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(reads).toEqual({ started: 2, cancelled: 0 });
  });

  test('a record that is being deleted here is not read again, unless that fails', async () => {
    const { queryClient, reads } = await openTab();
    const read = vi.fn(() => 'Ana');
    closing.push(new QueryObserver(queryClient, { queryKey: ['customers', 'detail', 'ana'], queryFn: read }).subscribe(() => undefined));
    await vi.advanceTimersByTimeAsync(0);
    let fail: () => void = () => undefined;
    const remove = queryClient.getMutationCache().build(queryClient, {
      mutationKey: DELETING,
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

  test('a long list is refetched only as far as ten pages', async () => {
    const { list, requested } = await openLongList();
    for (let page = 0; page < 30; page += 1) await list.fetchNextPage();
    requested.length = 0;
    sendChange('customers');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(requested).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('a long list that was left keeps the pages it takes to return to where it was', async () => {
    const { list, close, queryClient } = await openLongList();
    for (let page = 0; page < 29; page += 1) await list.fetchNextPage();
    const pages = () => queryClient.getQueryData<{ pages: number[] }>(['customers', 'pages'])?.pages.length;
    vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockReturnValue(30_000);
    vi.spyOn(window, 'innerHeight', 'get').mockReturnValue(1_000);
    vi.spyOn(window, 'scrollY', 'get').mockReturnValue(18_000);
    rememberPagesInView(queryClient);
    close();
    vi.restoreAllMocks();
    sendChange('customers');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(pages()).toBe(20);
  });

  test('a refetch that the next page cancels is made up for', async () => {
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
  test('without Web Locks each tab has its own connection and refetches once per change', async () => {
    const tabs = [await openTab(), await openTab(), await openTab()];
    expect(connections.size).toBe(3);
    sendChange('customers');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(tabs.map(({ reads }) => reads.started)).toEqual([1, 1, 1]);
  });

  test('with Web Locks one tab has the connection and tells the others', async () => {
    // The first tab gets the lock; the others wait for it until the end of the test.
    let taken = false;
    const request = async (_name: string, options: { ifAvailable?: boolean }, run: (lock: object | null) => Promise<unknown>) => {
      if (!options.ifAvailable) return new Promise(() => undefined);
      const lock = taken ? null : {};
      taken = true;
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

test('a list that shows an own change on its way is read again only when that has ended: earlier it would lack the change', async () => {
  const { reads, queryClient } = await openTab();
  const settle = await updateOptimistically<number>(queryClient, { queryKey: ['customers'] }, (count) => count + 100);
  sendChange('customers');
  await vi.advanceTimersByTimeAsync(2_000);
  expect(reads.started).toBe(0);
  settle(null);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(reads.started).toBe(1);
});
