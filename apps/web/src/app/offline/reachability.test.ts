import { HOUR_MS } from '@callout/domain/time/time-units';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DATA_VERSION } from '../../lib/data-version.ts';
import { CallError } from '../../lib/error-messages.ts';
import { useOfflineState } from '../../lib/offline-state.ts';
import { checkServerReachable, hydrateQueries } from './persisted-queries.ts';
import { reportUnreachable } from './reachability.ts';

const NOW = Date.parse('2026-03-02T14:05:00Z');
const unreachable = () => Promise.reject(new TypeError('Failed to fetch'));

let queryClient: QueryClient;
const unsubscribers: (() => void)[] = [];
beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
});
afterEach(() => {
  for (const unsubscribe of unsubscribers.splice(0)) unsubscribe();
  queryClient.clear();
  useOfflineState.setState(useOfflineState.getInitialState(), true);
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const getState = () => useOfflineState.getState();
const settleQueries = () => vi.advanceTimersByTimeAsync(0);

/** Puts a query on screen. Each fetch takes the next entry in `responses`. */
function displayQuery(key: string, ...responses: (() => Promise<unknown>)[]) {
  const observer = new QueryObserver(queryClient, { queryKey: [key], queryFn: () => (responses.shift() ?? unreachable)() });
  unsubscribers.push(observer.subscribe(() => undefined));
}

const restoreQuery = (key: string, ageMs: number) =>
  hydrateQueries(queryClient, [
    [`["${key}"]`, { key: [key], data: 'restored', read_at: NOW - ageMs, person: 'mia', access: '', version: DATA_VERSION }],
  ]);

test('stays unreachable until every restored query on screen has been refetched', async () => {
  restoreQuery('jobs', HOUR_MS);
  restoreQuery('staff', 2 * HOUR_MS);
  reportUnreachable(queryClient, () => true);
  displayQuery('jobs', unreachable, async () => 'new');
  displayQuery('staff', async () => 'new');
  await settleQueries();
  expect(getState()).toMatchObject({ isReachable: false, oldestReadAt: NOW - HOUR_MS });
  await queryClient.refetchQueries({ queryKey: ['jobs'] });
  expect(getState()).toMatchObject({ isReachable: true, oldestReadAt: undefined });
});

test('treats a rejected request as proof that the server is reachable', async () => {
  restoreQuery('jobs', HOUR_MS);
  reportUnreachable(queryClient, () => true);
  displayQuery('jobs', () => Promise.reject(new CallError('NOT_FOUND', { status: 404 })));
  displayQuery('staff', async () => 'new');
  await settleQueries();
  expect(getState().isReachable).toBe(true);
});

test('reports an unreachable server and the time of the last update while the browser is online', async () => {
  vi.stubGlobal('fetch', unreachable);
  queryClient.setQueryData(['jobs'], 'read', { updatedAt: NOW - HOUR_MS });
  await checkServerReachable(queryClient);
  expect(getState()).toMatchObject({ isReachable: false, oldestReadAt: NOW });
});

test('reports nothing if only the live connection is lost', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ user: { id: 'mia' }, profile: null }));
  await checkServerReachable(queryClient);
  expect(getState().isReachable).toBe(true);
});
