import { Logger, type Runner, run } from 'graphile-worker';
import { WORK_CONNECTIONS } from '../db/pools.ts';
import type { Platform } from '../platform.ts';
import type { Task } from './task.ts';

export interface Queue {
  /** Waits for the work under way, then ends. */
  stop(): Promise<void>;
}

const POLL_MS = 5_000;

/** A payload is what `later` of the same task put down, hence the cast. */
export async function startQueue(platform: Platform, tasks: readonly Task<never>[]): Promise<Queue> {
  const runner: Runner = await run({
    pgPool: platform.pools.queue,
    concurrency: WORK_CONNECTIONS,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    logger: queueLogger(platform),
    taskList: Object.fromEntries(
      tasks.map((task) => [
        task.name,
        (payload: unknown, helpers: { job: { attempts: number; max_attempts: number } }) =>
          task.run(payload as never, platform, { isLast: helpers.job.attempts >= helpers.job.max_attempts }),
      ]),
    ),
  });
  return { stop: () => runner.stop() };
}

/** The queue's own chatter is not news; its warnings and errors are. */
function queueLogger(platform: Platform): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error' || level === 'warning') platform.log.warn({ part: 'queue' }, message);
  });
}
