import { setImmediate as nextTick } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createBatchLoader } from './batch-loader.ts';

function createRecordingLoader() {
  const reads: (readonly string[])[] = [];
  const load = createBatchLoader(async (keys: readonly string[]) => {
    reads.push(keys);
    return new Map(keys.filter((key) => key !== 'unknown').map((key) => [key, key.toUpperCase()]));
  });
  return { reads, load };
}

it('loads concurrently requested keys in one read and returns each caller its own result', async () => {
  const { reads, load } = createRecordingLoader();
  expect(await Promise.all([load('a'), load('b'), load('a'), load('unknown')])).toEqual(['A', 'B', 'A', undefined]);
  expect(reads).toEqual([['a', 'b', 'unknown']]);
});

it('never returns a result from a read that started before the request', async () => {
  const { reads, load } = createRecordingLoader();
  const first = load('a');
  await nextTick();
  await Promise.all([first, load('a')]);
  expect(reads).toEqual([['a'], ['a']]);
});

it('rejects all waiting callers when a read fails, and reads again for the next caller', async () => {
  let isBroken = true;
  const load = createBatchLoader(async (keys: readonly string[]) => {
    if (isBroken) throw new Error('Database unavailable');
    return new Map(keys.map((key) => [key, key]));
  });
  const outcomes = await Promise.allSettled([load('a'), load('b')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isBroken = false;
  expect(await load('a')).toBe('a');
});
