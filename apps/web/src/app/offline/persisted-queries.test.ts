import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { claimCache } from './cache-owner.ts';
import { findSignedInOwner, hydrateQueries, tryClaimCache } from './persisted-queries.ts';
import { toStoredEntries } from './stored-query.ts';

const MIA = { person: 'mia', access: 'admin in tane' };
const clients: QueryClient[] = [];

function createClient(): QueryClient {
  const client = new QueryClient();
  clients.push(client);
  return client;
}

afterEach(() => {
  for (const client of clients.splice(0)) client.clear();
});

const storeAll = (client: QueryClient) =>
  client
    .getQueryCache()
    .getAll()
    .flatMap((query) => toStoredEntries(query, MIA));

test('restores stored queries and marks them as stale', () => {
  const before = createClient();
  before.setQueryData(['customers', 'detail', '1'], { name: 'Mere Tamihana' });
  const after = createClient();
  hydrateQueries(after, storeAll(before));
  const query = after.getQueryCache().find({ queryKey: ['customers', 'detail', '1'] });
  expect(query?.state.data).toEqual({ name: 'Mere Tamihana' });
  expect(query?.isStaleByTime(Number.POSITIVE_INFINITY)).toBe(true);
});

test('does not overwrite data that is already in memory', () => {
  const before = createClient();
  before.setQueryData(['jobs'], 'stored');
  const after = createClient();
  after.setQueryData(['jobs'], 'just read');
  hydrateQueries(after, storeAll(before));
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

test('nobody may restore data unless the cache owner is signed in', () => {
  claimCache('mia');
  const client = createClient();
  expect(findSignedInOwner(client)).toBeUndefined();
  client.setQueryData(['me'], { user: { id: 'sam' }, profile: null });
  expect(findSignedInOwner(client)).toBeUndefined();
  client.setQueryData(['me'], { user: { id: 'mia' }, profile: { role: 'admin', company_id: 'tane' } });
  expect(findSignedInOwner(client)).toEqual(MIA);
  localStorage.clear();
});
