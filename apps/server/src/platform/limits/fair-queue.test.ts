import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

const LIMITS = { slots: 4, slotsPerKey: 2, maxWaitingPerKey: 100, maxWaitMs: 10_000 };

/** Creates a queue with jobs that finish on command; `started` lists the admitted jobs in order. */
function createControlledQueue(limits: Partial<typeof LIMITS> = {}) {
  const queue = createFairQueue({ ...LIMITS, ...limits });
  const started: string[] = [];
  const finishers: (() => void)[] = [];
  const request = (name: string) => {
    const finish = Promise.withResolvers<void>();
    return queue.run(name.slice(0, 1), () => {
      started.push(name);
      finishers.push(finish.resolve);
      return finish.promise;
    });
  };
  const flush = () => new Promise<void>((resolve) => setImmediate(resolve));
  const finishNext = async () => {
    await flush();
    finishers.shift()?.();
    await flush();
  };
  return { queue, started, request, flush, finishNext, countRunning: () => finishers.length };
}

it('limits a key to its share and gives free slots to others immediately', async () => {
  const { started, request, flush, finishNext } = createControlledQueue();
  const requests = ['a1', 'a2', 'a3', 'a4', 'b1'].map(request);
  await flush();
  expect(started).toEqual(['a1', 'a2', 'b1']);
  for (let n = 0; n < 5; n += 1) await finishNext();
  await Promise.all(requests);
  expect(started).toHaveLength(5);
});

it('serves waiting keys round-robin, and each key’s requests in order', async () => {
  const { started, request, finishNext } = createControlledQueue({ slots: 1, slotsPerKey: 1 });
  const requests = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map(request);
  for (let n = 0; n < 7; n += 1) await finishNext();
  await Promise.all(requests);
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

it('frees the slot of a failed job', async () => {
  const { queue } = createControlledQueue({ slots: 1, slotsPerKey: 1 });
  await expect(queue.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await queue.run('a', () => Promise.resolve('next'))).toBe('next');
});

it('rejects new requests when full and still serves the waiting ones', async () => {
  const { started, request, finishNext } = createControlledQueue({ slots: 1, slotsPerKey: 1, maxWaitingPerKey: 2 });
  const requests = ['a1', 'a2', 'a3'].map(request);
  await expect(request('a4')).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS', data: { retry_after: 1 } });
  const other = request('b1');
  for (let n = 0; n < 4; n += 1) await finishNext();
  await Promise.all([...requests, other]);
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
});

it('times out a request that has waited too long, without using a slot', async () => {
  const { queue, started, request, finishNext } = createControlledQueue({ slots: 1, slotsPerKey: 1, maxWaitMs: 1 });
  const first = request('a1');
  await expect(request('a2')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await finishNext();
  await first;
  expect(await queue.run('a', () => Promise.resolve('next'))).toBe('next');
  expect(started).toEqual(['a1']);
});

it('never exceeds a limit, never leaves a usable slot idle, and serves every request', async () => {
  const KEYS = ['a', 'b', 'c'] as const;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...KEYS, 'finish'), { maxLength: 40 }), async (steps) => {
      const { started, request, flush, finishNext, countRunning } = createControlledQueue();
      const requested: string[] = [];
      const requests: Promise<unknown>[] = [];
      for (const step of steps) {
        if (step === 'finish') await finishNext();
        else {
          requested.push(step);
          requests.push(request(step));
          await flush();
        }
        const count = (names: readonly string[], key: string) => names.filter((name) => name === key).length;
        const running = started.slice(started.length - countRunning());
        expect(running.length).toBeLessThanOrEqual(LIMITS.slots);
        for (const key of KEYS) {
          expect(count(running, key)).toBeLessThanOrEqual(LIMITS.slotsPerKey);
          const isWaiting = count(started, key) < count(requested, key);
          expect(isWaiting && running.length < LIMITS.slots && count(running, key) < LIMITS.slotsPerKey).toBe(false);
        }
      }
      while (countRunning() > 0) await finishNext();
      await Promise.all(requests);
    }),
  );
});
