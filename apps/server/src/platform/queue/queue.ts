import { EventEmitter } from 'node:events';
import { parseCronItems, Logger as QueueLogger, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from 'pino';
import { WORK_CONNECTIONS } from '../db/pools.ts';
import { holdWorkerLock, releaseJobsOfDeadWorkers } from './dead-workers.sql.ts';
import type { ScheduledTask, TaskHandler } from './task.ts';

export interface Queue {
  /** Waits for the work under way, then ends. */
  stop(): Promise<void>;
}

interface QueueParts {
  readonly pool: pg.Pool;
  readonly log: Logger;
}

const POLL_MS = 5_000;
const RELEASE_EVERY_MINUTE = '* * * * *';
/** How long a server may have been down and still do what it missed. */
const BACKFILL_MS = 24 * 60 * 60 * 1000;

export async function startQueue(
  { pool, log }: QueueParts,
  handlers: readonly TaskHandler[],
  scheduled: readonly ScheduledTask[],
): Promise<Queue> {
  const events = new EventEmitter() as WorkerEvents;
  const lock = new Promise<() => void>((resolve) => {
    events.once('pool:create', ({ workerPool }) => resolve(holdWorkerLock(pool, workerPool.id, log)));
  });
  const release: ScheduledTask = {
    name: 'release-jobs-of-dead-workers',
    schedule: RELEASE_EVERY_MINUTE,
    run: () => releaseJobsOfDeadWorkers(pool),
  };
  // Before the first job is taken: what a killed server had under way must not wait for hours.
  await release.run();
  const all = [release, ...scheduled];
  const runner = await run({
    pgPool: pool,
    events,
    concurrency: WORK_CONNECTIONS,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    logger: queueLogger(log),
    parsedCronItems: parseCronItems(
      all.map(({ name, schedule }) => ({
        task: name,
        match: schedule,
        options: { backfillPeriod: schedule === RELEASE_EVERY_MINUTE ? 0 : BACKFILL_MS, jobKey: name, jobKeyMode: 'replace' },
      })),
    ),
    taskList: taskListOf([...handlers, ...all]),
  });
  const unlock = await lock;
  return {
    async stop() {
      await runner.stop();
      unlock();
    },
  };
}

function taskListOf(tasks: readonly TaskHandler[]): TaskList {
  const list: TaskList = {};
  for (const { name, run: work } of tasks) {
    list[name] = (payload, { job }) => work(payload, { isLast: job.attempts >= job.max_attempts });
  }
  return list;
}

/** The queue's own chatter is not worth a line; its warnings and errors are. */
function queueLogger(log: Logger): QueueLogger {
  return new QueueLogger(() => (level, message) => {
    if (level === 'error' || level === 'warning') log.warn({ part: 'queue' }, message);
  });
}
