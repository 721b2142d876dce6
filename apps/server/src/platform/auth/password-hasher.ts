import { availableParallelism } from 'node:os';
import { createFairQueue } from '../limits/fair-queue.ts';
import { getNetworkPrefix } from '../limits/rate-limit.ts';
import { createWorkerPool } from '../workers/worker-pool.ts';

/** The argon2id cost that OWASP recommends: 19 MiB of memory and two passes. */
const ARGON2_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export type Argon2Cost = typeof ARGON2_COST;

/** Leaves a core to the thread that serves calls. */
const MAX_WORKERS = Math.max(1, Math.min(2, availableParallelism() - 1));
const WORKER_LIMITS = { maxWorkers: MAX_WORKERS, maxWaiting: MAX_WORKERS, timeoutMs: 10_000, memoryMb: 64 };
/** A hash takes about 20 ms, so the last of a network's requests waits about two seconds. */
const QUEUE_LIMITS = { name: 'passwords', slots: MAX_WORKERS, slotsPerGroup: 1, maxWaitingPerKey: 100, maxWaitMs: 10_000 };

/** The message that is sent to a worker thread. */
export type PasswordTask =
  | { readonly kind: 'hash'; readonly password: string; readonly cost: Argon2Cost }
  | { readonly kind: 'verify'; readonly password: string; readonly storedHash: string };

/** Hashes passwords for the network of `ip`. Networks take turns, and a network with too many waiting requests is refused. */
export interface PasswordHasher {
  hash(password: string, ip: string): Promise<string>;
  verify(storedHash: string, password: string, ip: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Creates an argon2id hasher with its own threads, because libuv's threads also read every file. Tests pass a lower cost to run faster. */
export function createPasswordHasher(cost = ARGON2_COST): PasswordHasher {
  const pool = createWorkerPool<PasswordTask, string | boolean>(new URL('./password-worker.ts', import.meta.url), WORKER_LIMITS);
  const queue = createFairQueue(QUEUE_LIMITS);
  const runTask = (task: PasswordTask, ip: string) => queue.run(getNetworkPrefix(ip), () => pool.run(task));
  return {
    hash: async (password, ip) => String(await runTask({ kind: 'hash', password, cost }, ip)),
    verify: async (storedHash, password, ip) => (await runTask({ kind: 'verify', password, storedHash }, ip)) === true,
    close: () => pool.close(),
  };
}
