import { commonErrors } from '@callout/contract/errors';
import { createBusyFailure, createFailure } from '../errors/failures.ts';

export interface FairQueueLimits {
  /** Number of requests that may run at once. */
  readonly slots: number;
  /** Number of one key's requests that may run at once. */
  readonly slotsPerKey: number;
  /** Number of one key's requests that may wait. Further requests are rejected. */
  readonly maxWaitingPerKey: number;
  readonly maxWaitMs: number;
}

/** Shares a scarce resource between keys (companies or networks), round-robin, so that one busy key can't starve the others. */
export interface FairQueue {
  /** Takes a slot if one is free. If this returns true, the caller must call `leave` afterwards. */
  tryEnter(key: string): boolean;
  /** Waits for a slot. The caller must call `leave` afterwards. */
  enter(key: string): Promise<void>;
  leave(key: string): void;
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

export function createFairQueue({ slots, slotsPerKey, maxWaitingPerKey, maxWaitMs }: FairQueueLimits): FairQueue {
  const active = new Map<string, number>();
  /** Waiting requests by key, in round-robin order. A key is listed only while its share is used up or no slot is free. */
  const waiting = new Map<string, Set<() => void>>();
  let free = slots;

  const hasRoom = (key: string) => free > 0 && (active.get(key) ?? 0) < slotsPerKey;
  const occupy = (key: string) => {
    free -= 1;
    active.set(key, (active.get(key) ?? 0) + 1);
  };
  const admitNext = () => {
    for (const [key, waiters] of waiting) {
      const [admit] = waiters;
      if (!admit || !hasRoom(key)) continue;
      waiters.delete(admit);
      // Move the key to the end of the round-robin order.
      waiting.delete(key);
      if (waiters.size > 0) waiting.set(key, waiters);
      occupy(key);
      return admit();
    }
  };

  const queue: FairQueue = {
    tryEnter(key) {
      if (!hasRoom(key)) return false;
      occupy(key);
      return true;
    },
    enter(key) {
      if (queue.tryEnter(key)) return Promise.resolve();
      const waiters = waiting.get(key) ?? new Set();
      if (waiters.size >= maxWaitingPerKey) {
        return Promise.reject(createFailure('TOO_MANY_ATTEMPTS', commonErrors.TOO_MANY_ATTEMPTS.message, { retry_after: 1 }));
      }
      waiting.set(key, waiters);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiters.delete(admit);
          if (waiters.size === 0) waiting.delete(key);
          reject(createBusyFailure());
        }, maxWaitMs);
        const admit = () => {
          clearTimeout(timer);
          resolve();
        };
        waiters.add(admit);
      });
    },
    leave(key) {
      free += 1;
      const rest = (active.get(key) ?? 0) - 1;
      if (rest > 0) active.set(key, rest);
      else active.delete(key);
      admitNext();
    },
    async run(key, work) {
      await queue.enter(key);
      try {
        return await work();
      } finally {
        queue.leave(key);
      }
    },
  };
  return queue;
}
