import { expect, it } from 'vitest';
import { createConcurrencyLimit } from './concurrency-limit.ts';

it('lets so many in for each key and in all, and the next when one has left', () => {
  const limit = createConcurrencyLimit({ total: 3, perKey: 2 });
  const [first, second] = [limit.enter('a'), limit.enter('a')];
  expect([first, second].map(Boolean)).toEqual([true, true]);
  expect(limit.enter('a')).toBeNull();
  expect(limit.enter('b')).not.toBeNull();
  expect(limit.enter('c')).toBeNull();
  first?.();
  // Leaving twice makes no room for two.
  first?.();
  expect(limit.enter('a')).not.toBeNull();
  expect(limit.enter('a')).toBeNull();
});
