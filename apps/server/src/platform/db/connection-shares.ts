import type pg from 'pg';
import { createFairQueue, type FairQueue } from '../limits/fair-queue.ts';
import { WORK_POOL_NAME } from './pools.ts';

/** The queues for a pool's connections. A transaction first waits in `transactions`, then in `connections`. */
interface ConnectionShares {
  /** Gives each company at most half of the connections, so that a busy company can't block the others. */
  readonly connections: FairQueue;
  /**
   * Gives transactions at most half of the connections, and those of one company a quarter. A transaction may wait for a lock, so without
   * this limit, a few of them could keep all of the company's reads waiting.
   */
  readonly transactions: FairQueue;
}

/** Far more requests than one person's pages ever make at once. */
const MAX_WAITING_PER_ACTOR = 200;
/** Calls have a deadline for all that they wait for, so this limits the queue's tasks. */
const MAX_WAIT_MS = 15_000;

const sharesByPool = new WeakMap<pg.Pool, ConnectionShares>();

/**
 * An actor gets all but one of the company's slots, and always a second one, because a transaction that waits for a lock keeps its slot for
 * seconds: the last slot is for the other actors, the second for what the same actor does in the meantime.
 */
const createShares = (name: string, slots: number, slotsPerGroup: number) =>
  createFairQueue({
    name,
    slots,
    slotsPerGroup,
    slotsPerMember: Math.min(slotsPerGroup, Math.max(2, slotsPerGroup - 1)),
    maxWaitingPerKey: MAX_WAITING_PER_ACTOR,
    maxWaitMs: MAX_WAIT_MS,
  });

export function getConnectionShares(pool: pg.Pool): ConnectionShares {
  let shares = sharesByPool.get(pool);
  if (!shares) {
    const { max, application_name: name = '' } = pool.options;
    const half = Math.ceil(max / 2);
    // Serves the queue's workers, which are fewer than its connections.
    const isForWork = name === WORK_POOL_NAME;
    shares = {
      connections: createShares(`${name} connections`, max, half),
      transactions: isForWork
        ? createShares(`${name} transactions`, max, max)
        : createShares(`${name} transactions`, half, Math.max(1, Math.floor(max / 4))),
    };
    sharesByPool.set(pool, shares);
  }
  return shares;
}
