import { IDBObjectStore } from 'fake-indexeddb';
import { afterEach, expect, test, vi } from 'vitest';
import { claimCache, clearOfflineCache, findCacheOwner } from './cache-owner.ts';

afterEach(() => localStorage.clear());

test('returns the person who claimed the cache', () => {
  expect(findCacheOwner()).toBeUndefined();
  claimCache('mia');
  expect(findCacheOwner()).toBe('mia');
});

test('removes the cache owner as soon as the session ends, even if the data cannot be deleted', async () => {
  claimCache('mia');
  // Deletion fails. Without the spy, it would succeed after a test file that has opened a database.
  const clear = vi.spyOn(IDBObjectStore.prototype, 'clear').mockImplementation(() => {
    throw new DOMException('on purpose');
  });
  const cleared = clearOfflineCache();
  expect(findCacheOwner()).toBeUndefined();
  await cleared;
  expect([findCacheOwner(), Object.keys(localStorage)]).toEqual([undefined, ['callout-kept-by']]);
  clear.mockRestore();
});

test('does nothing if no data was ever cached', async () => {
  await clearOfflineCache();
  expect(Object.keys(localStorage)).toEqual([]);
});
