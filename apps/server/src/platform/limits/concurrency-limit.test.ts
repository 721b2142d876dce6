import { expect, it } from 'vitest';
import { createConcurrencyLimit } from './concurrency-limit.ts';

it('limits how many enter per key and in total, and admits the next when one leaves', () => {
  const limit = createConcurrencyLimit({ total: 3, perKey: 2 });
  const [first, second] = [limit.enter('a'), limit.enter('a')];
  expect([first, second].map(Boolean)).toEqual([true, true]);
  expect(limit.enter('a')).toBeNull();
  expect(limit.enter('b')).not.toBeNull();
  expect(limit.enter('c')).toBeNull();
  first?.();
  // Leaving twice frees only one slot.
  first?.();
  expect(limit.enter('a')).not.toBeNull();
  expect(limit.enter('a')).toBeNull();
});
