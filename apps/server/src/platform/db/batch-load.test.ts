import { setImmediate as nextTick } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { batchLoad } from './batch-load.ts';

function recordingReader() {
  const reads: (readonly string[])[] = [];
  const read = batchLoad(async (keys: readonly string[]) => {
    reads.push(keys);
    return new Map(keys.filter((key) => key !== 'unknown').map((key) => [key, key.toUpperCase()]));
  });
  return { reads, read };
}

it('loads what is requested at the same moment once, and gives each caller its own result', async () => {
  const { reads, read } = recordingReader();
  expect(await Promise.all([read('a'), read('b'), read('a'), read('unknown')])).toEqual(['A', 'B', 'A', undefined]);
  expect(reads).toEqual([['a', 'b', 'unknown']]);
});

it('never answers from a read that began before the request', async () => {
  const { reads, read } = recordingReader();
  const first = read('a');
  await nextTick();
  await Promise.all([first, read('a')]);
  expect(reads).toEqual([['a'], ['a']]);
});

it('fails for all waiting callers, and reads again for the next', async () => {
  let broken = true;
  const read = batchLoad(async (keys: readonly string[]) => {
    if (broken) throw new Error('The database is gone');
    return new Map(keys.map((key) => [key, key]));
  });
  const outcomes = await Promise.allSettled([read('a'), read('b')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  broken = false;
  expect(await read('a')).toBe('a');
});
