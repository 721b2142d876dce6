import { EventEmitter } from 'node:events';
import { type CronItem, parseCronItems, Logger as QueueLogger, run, type TaskList, type WorkerEvents } from 'graphile-worker';
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
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const RELEASE = 'release-jobs-of-dead-workers';

export async function startQueue(
  { pool, log }: QueueParts,
  handlers: readonly TaskHandler[],
  scheduled: readonly ScheduledTask[],
): Promise<Queue> {
  const events = new EventEmitter() as WorkerEvents;
  const lock = new Promise<() => void>((resolve) => {
    events.once('pool:create', ({ workerPool }) => resolve(holdWorkerLock(pool, workerPool.id, log)));
  });
  // Before the first job is taken: what a killed server had under way must not wait for hours.
  await releaseJobsOfDeadWorkers(pool);
  const release: TaskHandler = { name: RELEASE, run: () => releaseJobsOfDeadWorkers(pool) };
  const runner = await run({
    pgPool: pool,
    events,
    concurrency: WORK_CONNECTIONS,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    logger: queueLogger(log),
    parsedCronItems: parseCronItems([{ task: RELEASE, match: '* * * * *', options: { jobKey: RELEASE } }, ...scheduled.map(cronItemOf)]),
    taskList: taskListOf([...handlers, release, ...scheduled]),
  });
  const unlock = await lock;
  return {
    async stop() {
      await runner.stop();
      unlock();
    },
  };
}

/** What was missed is looked for as far back as it takes to find one. */
function cronItemOf({ name, at }: ScheduledTask): CronItem {
  const backfillPeriod = at.hour === undefined ? HOUR_MS : DAY_MS;
  return { task: name, match: `${at.minute} ${at.hour ?? '*'} * * *`, options: { backfillPeriod, jobKey: name } };
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
