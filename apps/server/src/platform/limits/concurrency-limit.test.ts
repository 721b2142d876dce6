import { expect, it } from 'vitest';
import { createConcurrencyLimit } from './concurrency-limit.ts';

it('limits acquired slots per key and in total, and frees a slot when it is released', () => {
  const limit = createConcurrencyLimit({ total: 3, perKey: 2 });
  const [first, second] = [limit.tryAcquire('a'), limit.tryAcquire('a')];
  expect([first, second].map(Boolean)).toEqual([true, true]);
  expect(limit.tryAcquire('a')).toBeNull();
  expect(limit.tryAcquire('b')).not.toBeNull();
  expect(limit.tryAcquire('c')).toBeNull();
  first?.();
  // Releasing twice frees only one slot.
  first?.();
  expect(limit.tryAcquire('a')).not.toBeNull();
  expect(limit.tryAcquire('a')).toBeNull();
});
