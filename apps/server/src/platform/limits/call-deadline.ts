import { AsyncLocalStorage } from 'node:async_hooks';
import { createBusyFailure } from '../errors/failures.ts';

/** The deadline of a call. The queue's tasks have none. */
interface Deadline {
  /** A `performance.now()` timestamp. */
  readonly at: number;
  /** True once the call has been answered because of it. Timers can be a bit early. */
  isOver: boolean;
}

const deadlines = new AsyncLocalStorage<Deadline>();

/**
 * Runs a call that has to be answered in `timeLeftMs`. After that, it fails as UNAVAILABLE, whatever it is waiting for: its turn, a
 * connection, a lock or a failover. What it waited for ends by itself, and changes nothing then (`requireTimeLeft`).
 */
export async function runUntilDeadline<Result>(timeLeftMs: number, work: () => Promise<Result>): Promise<Result> {
  const { promise: deadline, reject } = Promise.withResolvers<never>();
  const context: Deadline = { at: performance.now() + timeLeftMs, isOver: false };
  const timer = setTimeout(() => {
    context.isOver = true;
    reject(createBusyFailure());
  }, timeLeftMs);
  try {
    return await Promise.race([deadlines.run(context, work), deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns Infinity outside a call. */
export function getTimeLeftMs(): number {
  const deadline = deadlines.getStore();
  if (!deadline) return Infinity;
  return deadline.isOver ? 0 : deadline.at - performance.now();
}

/** Throws if the current call has been answered already, so that no one waits for its result. */
export function requireTimeLeft(): void {
  if (getTimeLeftMs() <= 0) throw createBusyFailure();
}
