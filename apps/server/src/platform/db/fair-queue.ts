import { commonErrors } from '@callout/contract/errors';
import { failure } from '../errors/failures.ts';

export interface FairQueueLimits {
  /** How many may run at once. */
  readonly slots: number;
  /** Of those, how many for one company. */
  readonly slotsPerKey: number;
  /** How many of one company may wait; any more are refused. */
  readonly waitingPerKey: number;
  readonly maxWaitMs: number;
}

/** Shares a scarce resource fairly between companies, round-robin, however many requests one of them sends. */
export interface FairQueue {
  /** True when there was a free slot; then `leave` must follow. */
  tryEnter(key: string): boolean;
  /** Waits for a slot; then `leave` must follow. */
  enter(key: string): Promise<void>;
  leave(key: string): void;
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

export function createFairQueue({ slots, slotsPerKey, waitingPerKey, maxWaitMs }: FairQueueLimits): FairQueue {
  const active = new Map<string, number>();
  /** The waiting requests by company, in round-robin order. A company is listed only while it has used its share or no slot is free. */
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
      // Move the company to the end of the round-robin order.
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
      if (waiters.size >= waitingPerKey) {
        return Promise.reject(failure('TOO_MANY_ATTEMPTS', commonErrors.TOO_MANY_ATTEMPTS.message, { retry_after: 1 }));
      }
      waiting.set(key, waiters);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiters.delete(admit);
          if (waiters.size === 0) waiting.delete(key);
          reject(failure('UNAVAILABLE', commonErrors.UNAVAILABLE.message));
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
