import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

const LIMITS = { slots: 4, slotsPerKey: 2, waitingPerKey: 100, maxWaitMs: 10_000 };

/** Jobs requested at once that end on command; `begun` lists who was admitted, in order. */
function watch(limits: Partial<typeof LIMITS> = {}) {
  const queue = createFairQueue({ ...LIMITS, ...limits });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (name: string) => {
    const end = Promise.withResolvers<void>();
    return queue.run(name.slice(0, 1), () => {
      begun.push(name);
      ends.push(end.resolve);
      return end.promise;
    });
  };
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  const endNext = async () => {
    await settle();
    ends.shift()?.();
    await settle();
  };
  return { queue, begun, ask, settle, endNext, unended: () => ends.length };
}

it('never gives one company more than its share, and gives the rest to others at once', async () => {
  const { begun, ask, settle, endNext } = watch();
  const all = ['a1', 'a2', 'a3', 'a4', 'b1'].map(ask);
  await settle();
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  for (let n = 0; n < 5; n += 1) await endNext();
  await Promise.all(all);
  expect(begun).toHaveLength(5);
});

it('serves waiting companies in turn, each in its own order', async () => {
  const { begun, ask, endNext } = watch({ slots: 1, slotsPerKey: 1 });
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map(ask);
  for (let n = 0; n < 7; n += 1) await endNext();
  await Promise.all(all);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

it('frees the slot of a job that fails', async () => {
  const { queue } = watch({ slots: 1, slotsPerKey: 1 });
  await expect(queue.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await queue.run('a', () => Promise.resolve('next'))).toBe('next');
});

it('refuses new requests when full and still serves those in it', async () => {
  const { begun, ask, endNext } = watch({ slots: 1, slotsPerKey: 1, waitingPerKey: 2 });
  const all = ['a1', 'a2', 'a3'].map(ask);
  await expect(ask('a4')).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS', data: { retry_after: 1 } });
  const other = ask('b1');
  for (let n = 0; n < 4; n += 1) await endNext();
  await Promise.all([...all, other]);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
});

it('times out a request that waited too long, without using a slot', async () => {
  const { queue, begun, ask, endNext } = watch({ slots: 1, slotsPerKey: 1, maxWaitMs: 1 });
  const first = ask('a1');
  await expect(ask('a2')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await endNext();
  await first;
  expect(await queue.run('a', () => Promise.resolve('next'))).toBe('next');
  expect(begun).toEqual(['a1']);
});

it('never exceeds a limit, leaves no usable slot idle and serves everyone', async () => {
  const KEYS = ['a', 'b', 'c'] as const;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...KEYS, 'end'), { maxLength: 40 }), async (steps) => {
      const { begun, ask, settle, endNext, unended } = watch();
      const asked: string[] = [];
      const all: Promise<unknown>[] = [];
      for (const step of steps) {
        if (step === 'end') await endNext();
        else {
          asked.push(step);
          all.push(ask(step));
          await settle();
        }
        const count = (names: readonly string[], key: string) => names.filter((name) => name === key).length;
        const atWork = begun.slice(begun.length - unended());
        expect(atWork.length).toBeLessThanOrEqual(LIMITS.slots);
        for (const key of KEYS) {
          expect(count(atWork, key)).toBeLessThanOrEqual(LIMITS.slotsPerKey);
          const waits = count(begun, key) < count(asked, key);
          expect(waits && atWork.length < LIMITS.slots && count(atWork, key) < LIMITS.slotsPerKey).toBe(false);
        }
      }
      while (unended() > 0) await endNext();
      await Promise.all(all);
    }),
  );
});
