import { afterEach, expect, test } from 'vitest';
import { claimCache, clearOfflineCache, findCacheOwner } from './cache-owner.ts';

afterEach(() => localStorage.clear());

test('returns the person who claimed the cache', () => {
  expect(findCacheOwner()).toBeUndefined();
  claimCache('mia');
  expect(findCacheOwner()).toBe('mia');
});

test('removes the cache owner as soon as the session ends, even if the data cannot be deleted', async () => {
  claimCache('mia');
  // Deletion fails, because the test environment has no IndexedDB.
  const cleared = clearOfflineCache();
  expect(findCacheOwner()).toBeUndefined();
  await cleared;
  expect([findCacheOwner(), Object.keys(localStorage)]).toEqual([undefined, ['callout-kept-by']]);
});

test('does nothing if no data was ever cached', async () => {
  await clearOfflineCache();
  expect(Object.keys(localStorage)).toEqual([]);
});
