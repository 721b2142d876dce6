import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runUntilDeadline } from './call-deadline.ts';
import { createFairQueue, type FairKey, type FairQueueLimits } from './fair-queue.ts';

const LIMITS: FairQueueLimits = { name: 'test', slots: 4, slotsPerGroup: 2, maxWaitingPerKey: 100, maxWaitMs: 10_000 };

/** Creates a queue with jobs that finish on command; `started` lists the admitted jobs in order. A job's group is its name's first letter. */
function createControlledQueue(limits: Partial<FairQueueLimits> = {}) {
  const queue = createFairQueue({ ...LIMITS, ...limits });
  const started: string[] = [];
  const finishers: (() => void)[] = [];
  const request = (name: string, key: FairKey = name.slice(0, 1)) => {
    const finish = Promise.withResolvers<void>();
    return queue.run(key, () => {
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
  const requests = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => request(name));
  await flush();
  expect(started).toEqual(['a1', 'a2', 'b1']);
  for (let n = 0; n < 5; n += 1) await finishNext();
  await Promise.all(requests);
  expect(started).toHaveLength(5);
});

it('serves waiting keys round-robin, and each key’s requests in order', async () => {
  const { started, request, finishNext } = createControlledQueue({ slots: 1, slotsPerGroup: 1 });
  const requests = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => request(name));
  for (let n = 0; n < 7; n += 1) await finishNext();
  await Promise.all(requests);
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

it('frees the slot of a failed job', async () => {
  const { queue } = createControlledQueue({ slots: 1, slotsPerGroup: 1 });
  await expect(queue.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await queue.run('a', () => Promise.resolve('next'))).toBe('next');
});

it('rejects new requests when full and still serves the waiting ones', async () => {
  const { started, request, finishNext } = createControlledQueue({ slots: 1, slotsPerGroup: 1, maxWaitingPerKey: 2 });
  const requests = ['a1', 'a2', 'a3'].map((name) => request(name));
  await expect(request('a4')).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS', data: { retry_after: 1 } });
  const other = request('b1');
  for (let n = 0; n < 4; n += 1) await finishNext();
  await Promise.all([...requests, other]);
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
});

it('times out a request that has waited too long, without using a slot', async () => {
  const { queue, started, request, finishNext } = createControlledQueue({ slots: 1, slotsPerGroup: 1, maxWaitMs: 1 });
  const first = request('a1');
  await expect(request('a2')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await finishNext();
  await first;
  expect(await queue.run('a', () => Promise.resolve('next'))).toBe('next');
  expect(started).toEqual(['a1']);
});

it('does not run a request whose call has been answered at its deadline while it waited', async () => {
  const { queue, started, request, finishNext } = createControlledQueue({ slots: 1, slotsPerGroup: 1 });
  const first = request('a1');
  await expect(runUntilDeadline(1, () => request('a2'))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
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
          expect(count(running, key)).toBeLessThanOrEqual(LIMITS.slotsPerGroup);
          const isWaiting = count(started, key) < count(requested, key);
          expect(isWaiting && running.length < LIMITS.slots && count(running, key) < LIMITS.slotsPerGroup).toBe(false);
        }
      }
      while (countRunning() > 0) await finishNext();
      await Promise.all(requests);
    }),
  );
});

describe('the members of a group', () => {
  const requestAs = (request: (name: string, key: FairKey) => Promise<unknown>, name: string) =>
    request(name, [name.slice(0, 1), name.slice(1, 2)]);

  it('take turns, and groups do too, however many requests one member sends', async () => {
    const { started, request, finishNext } = createControlledQueue({ slots: 1, slotsPerGroup: 1 });
    const names = ['ax1', 'ax2', 'ax3', 'ax4', 'ay1', 'ay2', 'bz1', 'bz2'];
    const requests = names.map((name) => requestAs(request, name));
    for (let n = 0; n < names.length; n += 1) await finishNext();
    await Promise.all(requests);
    expect(started).toEqual(['ax1', 'ax2', 'bz1', 'ay1', 'bz2', 'ax3', 'ay2', 'ax4']);
  });

  it('are each limited to their share, and get a free slot of the group immediately', async () => {
    const { started, request, flush, finishNext } = createControlledQueue({ slots: 8, slotsPerGroup: 3, slotsPerMember: 2 });
    const requests = ['ax1', 'ax2', 'ax3', 'ay1', 'ay2'].map((name) => requestAs(request, name));
    await flush();
    expect(started).toEqual(['ax1', 'ax2', 'ay1']);
    for (let n = 0; n < 5; n += 1) await finishNext();
    await Promise.all(requests);
  });

  it('have lines of their own: a full line rejects only the requests of its member', async () => {
    const { request, finishNext } = createControlledQueue({ slots: 1, slotsPerGroup: 1, maxWaitingPerKey: 2 });
    const requests = ['ax1', 'ax2', 'ax3'].map((name) => requestAs(request, name));
    await expect(requestAs(request, 'ax4')).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
    requests.push(requestAs(request, 'ay1'));
    for (let n = 0; n < 4; n += 1) await finishNext();
    await Promise.all(requests);
  });

  it('wait for at most one request of each other member of the group', async () => {
    const MEMBERS = ['ax', 'ay', 'az', 'bx', 'by', 'cx'] as const;
    const steps = fc.array(fc.oneof(fc.constantFrom(...MEMBERS), fc.constant('finish')), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(steps, async (arrivals) => {
        const limits = { slots: 4, slotsPerGroup: 3, slotsPerMember: 2 };
        const { started, request, flush, finishNext, countRunning } = createControlledQueue(limits);
        const requests: Promise<unknown>[] = [];
        const requested: string[] = [];
        /** The first requests of members that had none, with the number of requests that had started before. */
        const firstRequests: { readonly name: string; readonly startedBefore: number }[] = [];
        const listUnfinished = () => [
          ...started.slice(started.length - countRunning()),
          ...requested.filter((name) => !started.includes(name)),
        ];
        for (const [index, step] of arrivals.entries()) {
          if (step === 'finish') await finishNext();
          else {
            const name = `${step}${index}`;
            if (!listUnfinished().some((other) => other.startsWith(step))) firstRequests.push({ name, startedBefore: started.length });
            requested.push(name);
            requests.push(requestAs(request, name));
            await flush();
          }
        }
        while (countRunning() > 0) await finishNext();
        await Promise.all(requests);
        for (const { name, startedBefore } of firstRequests) {
          const overtakers = started.slice(startedBefore, started.indexOf(name)).map((other) => other.slice(0, 2));
          const colleagues = overtakers.filter((other) => other.startsWith(name.slice(0, 1)));
          expect(colleagues).toHaveLength(new Set(colleagues).size);
        }
      }),
    );
  });
});
