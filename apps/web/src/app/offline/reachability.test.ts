import { HOUR_MS } from '@callout/domain/time/time-units';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CallError } from '../../lib/error-messages.ts';
import { checkReachable, fillIn } from './kept-queries.ts';
import { useOfflineState } from './offline-state.ts';
import { sayUnreachable } from './reachability.ts';

const NOW = Date.parse('2026-03-02T14:05:00Z');
const unreachable = () => Promise.reject(new TypeError('Failed to fetch'));

let queryClient: QueryClient;
const closing: (() => void)[] = [];
beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
});
afterEach(() => {
  for (const close of closing.splice(0)) close();
  queryClient.clear();
  useOfflineState.setState(useOfflineState.getInitialState(), true);
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const state = () => useOfflineState.getState();
const settle = () => vi.advanceTimersByTimeAsync(0);

/** A part of the page; its answers follow each other. */
function show(key: string, ...answers: (() => Promise<unknown>)[]) {
  const observer = new QueryObserver(queryClient, { queryKey: [key], queryFn: () => (answers.shift() ?? unreachable)() });
  closing.push(observer.subscribe(() => undefined));
}

const kept = (key: string, ageMs: number) =>
  fillIn(queryClient, [[`["${key}"]`, { key: [key], data: 'kept', read_at: NOW - ageMs, person: 'mia', build: '' }]]);

test('an answer to something else is no reason to show kept data as current', async () => {
  kept('jobs', HOUR_MS);
  kept('staff', 2 * HOUR_MS);
  sayUnreachable(queryClient, () => true);
  show('jobs', unreachable, async () => 'new');
  show('staff', async () => 'new');
  await settle();
  expect(state()).toMatchObject({ isReachable: false, readAt: NOW - HOUR_MS });
  await queryClient.refetchQueries({ queryKey: ['jobs'] });
  expect(state()).toMatchObject({ isReachable: true, readAt: undefined });
});

test('what the server refuses is answered', async () => {
  kept('jobs', HOUR_MS);
  sayUnreachable(queryClient, () => true);
  show('jobs', () => Promise.reject(new CallError('NOT_FOUND', { status: 404 })));
  show('staff', async () => 'new');
  await settle();
  expect(state().isReachable).toBe(true);
});

test('a server that is gone while the browser is online is said, with the time since when', async () => {
  vi.stubGlobal('fetch', unreachable);
  queryClient.setQueryData(['jobs'], 'read', { updatedAt: NOW - HOUR_MS });
  await checkReachable(queryClient);
  expect(state()).toMatchObject({ isReachable: false, readAt: NOW });
});

test('nothing is said where only the live connection is lost', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ user: { id: 'mia' }, profile: null }));
  await checkReachable(queryClient);
  expect(state().isReachable).toBe(true);
});
