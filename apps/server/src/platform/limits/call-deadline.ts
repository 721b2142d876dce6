import { AsyncLocalStorage } from 'node:async_hooks';
import { createBusyFailure } from '../errors/failures.ts';

/** When the current call has to be answered, as a `performance.now()` timestamp. The queue's tasks have no deadline. */
const deadlines = new AsyncLocalStorage<number>();

/**
 * Runs a call that has to be answered in `timeLeftMs`. After that, it fails as UNAVAILABLE, whatever it is waiting for: its turn, a
 * connection, a lock or a failover. What it waited for ends by itself, and changes nothing then (`requireTimeLeft`).
 */
export async function runUntilDeadline<Result>(timeLeftMs: number, work: () => Promise<Result>): Promise<Result> {
  const { promise: deadline, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(createBusyFailure()), timeLeftMs);
  try {
    return await Promise.race([deadlines.run(performance.now() + timeLeftMs, work), deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns Infinity outside a call. */
export const getTimeLeftMs = () => (deadlines.getStore() ?? Infinity) - performance.now();

/** Throws if the current call has been answered already, so that no one waits for its result. */
export function requireTimeLeft(): void {
  if (getTimeLeftMs() <= 0) throw createBusyFailure();
}
