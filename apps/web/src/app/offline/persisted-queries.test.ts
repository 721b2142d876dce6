import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { claimCache } from './cache-owner.ts';
import {
  filterRestorable,
  findSignedInCacheOwner,
  hydrateQueries,
  type PersistedQuery,
  toPersistedEntries,
  tryClaimCache,
} from './persisted-queries.ts';

const clients: QueryClient[] = [];

function createClient(): QueryClient {
  const client = new QueryClient();
  clients.push(client);
  return client;
}

afterEach(() => {
  for (const client of clients.splice(0)) client.clear();
});

/** Returns all entries that the browser would store for this client. */
const persistAll = (client: QueryClient, person = 'mia') =>
  client
    .getQueryCache()
    .getAll()
    .flatMap((query) => toPersistedEntries(query, person));

const getKeys = (persisted: readonly [string, PersistedQuery][]) => persisted.map(([, { key }]) => key);

test('restores stored queries and marks them as stale', () => {
  const before = createClient();
  before.setQueryData(['customers', 'detail', '1'], { name: 'Mere Tamihana' });
  const after = createClient();
  hydrateQueries(after, filterRestorable(persistAll(before), 'mia'));
  const query = after.getQueryCache().find({ queryKey: ['customers', 'detail', '1'] });
  expect(query?.state.data).toEqual({ name: 'Mere Tamihana' });
  expect(query?.isStaleByTime(Number.POSITIVE_INFINITY)).toBe(true);
});

test('does not overwrite data that is already in memory', () => {
  const before = createClient();
  before.setQueryData(['jobs'], 'stored');
  const after = createClient();
  after.setQueryData(['jobs'], 'just read');
  hydrateQueries(after, persistAll(before));
  expect(after.getQueryData(['jobs'])).toBe('just read');
});

test('returns false instead of throwing if the storage is full', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  });
  expect(tryClaimCache('mia')).toBe(false);
  vi.unstubAllGlobals();
  expect(tryClaimCache('mia')).toBe(true);
  localStorage.clear();
});

test('restores nothing unless the cache owner is signed in', () => {
  claimCache('mia');
  const client = createClient();
  client.setQueryData(['jobs'], 'stored');
  expect(findSignedInCacheOwner(client)).toBeUndefined();
  expect(filterRestorable(persistAll(client), findSignedInCacheOwner(client))).toEqual([]);
  client.setQueryData(['me'], { user: { id: 'sam' } });
  expect(findSignedInCacheOwner(client)).toBeUndefined();
  client.setQueryData(['me'], { user: { id: 'mia' } });
  expect(findSignedInCacheOwner(client)).toBe('mia');
  localStorage.clear();
});

test('stores only the first page of a list', () => {
  const client = createClient();
  client.setQueryData(['jobs', 'list'], { pages: [{ rows: [1] }, { rows: [2] }], pageParams: [undefined, 'next'] });
  expect(persistAll(client).map(([, { data }]) => data)).toEqual([{ pages: [{ rows: [1] }], pageParams: [undefined] }]);
});

test('does not store data that grants access, is too large, or failed to load', async () => {
  const client = createClient();
  client.setQueryData(['calendar feed'], { url: '/api/public/calendar/secret.ics' });
  client.setQueryData(['devices'], { rows: [] });
  client.setQueryData(['admin', 'outbox'], { rows: [] });
  client.setQueryData(['jobs', 'detail', '1'], 'long '.repeat(100_000));
  await client.query({ queryKey: ['quotes'], queryFn: () => Promise.reject(new Error('on purpose')), retry: false }).catch(() => undefined);
  client.setQueryData(['jobs', 'detail', '2'], 'short');
  expect(getKeys(persistAll(client))).toEqual([['jobs', 'detail', '2']]);
});

test('does not restore data that belongs to another person or build or is older than a week', () => {
  const client = createClient();
  client.setQueryData(['jobs'], 'this week');
  client.setQueryData(['quotes'], 'long ago', { updatedAt: Date.now() - 8 * 24 * 60 * 60 * 1000 });
  const persisted = persistAll(client);
  expect(getKeys(filterRestorable(persisted, 'mia'))).toEqual([['jobs']]);
  expect(filterRestorable(persisted, 'ben')).toEqual([]);
  expect(filterRestorable(persisted, undefined)).toEqual([]);
  const fromOlderBuild = persisted.map(([hash, query]): [string, PersistedQuery] => [hash, { ...query, build: 'older' }]);
  expect(filterRestorable(fromOlderBuild, 'mia')).toEqual([]);
});

test('restores only the 200 newest queries', () => {
  const client = createClient();
  for (let id = 0; id < 250; id += 1) client.setQueryData(['jobs', 'detail', id], id, { updatedAt: Date.now() - 1000 + id });
  const restored = filterRestorable(persistAll(client), 'mia').map(([, { data }]) => data);
  expect([restored.length, restored[0], restored.at(-1)]).toEqual([200, 249, 50]);
});
