import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { DAY_MS, HOUR_MS } from '@callout/domain/time/time-units';
import {
  type CronItem,
  type JobHelpers,
  parseCronItems,
  Logger as QueueLogger,
  run,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from 'pino';
import { BackupRunning } from '../db/advisory-locks.ts';
import { WORK_CONNECTIONS } from '../db/pools.ts';
import { holdWorkerLock, releaseJobsOfDeadWorkers, skipMissedRuns } from './queue.sql.ts';
import type { ScheduledTask, TaskHandler } from './task.ts';

export interface Queue {
  /** Waits for running work, then stops. */
  stop(): Promise<void>;
}

interface QueueParts {
  readonly pool: pg.Pool;
  readonly log: Logger;
}

const POLL_MS = 5_000;
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
  // Before the first job is taken, so that a killed server's jobs do not wait for hours.
  await releaseJobsOfDeadWorkers(pool);
  if ((await skipMissedRuns(pool)) > 0) log.warn({ part: 'queue' }, 'The system clock was set back: scheduled tasks resume from now');
  const release: TaskHandler = { name: RELEASE, run: () => releaseJobsOfDeadWorkers(pool) };
  const runner = await run({
    pgPool: waitForDatabase(pool),
    events,
    concurrency: WORK_CONNECTIONS,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    logger: queueLogger(log),
    parsedCronItems: parseCronItems([{ task: RELEASE, match: '* * * * *', options: { jobKey: RELEASE } }, ...scheduled.map(cronItemOf)]),
    taskList: taskListOf([...handlers, release, ...scheduled.map(handlerOf)]),
  });
  const unlock = await lock;
  return {
    async stop() {
      await runner.stop();
      unlock();
      await waitUntilIdle(pool);
    },
  };
}

/** Codes of a database that is being restarted. */
const RESTARTING = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE']);

/**
 * graphile-worker stores what became of a job without waiting for it, and a database that is away then would end the whole process. This
 * is the code of what it tries again by itself.
 */
function waitForDatabase(pool: pg.Pool): pg.Pool {
  const connect = async () => {
    try {
      return await pool.connect();
    } catch (error) {
      const { code } = error as { code?: string };
      throw error instanceof Error && RESTARTING.has(code ?? '') ? Object.assign(error, { code: 'ETIMEDOUT' }) : error;
    }
  };
  // With a callback it is the worker's listener, which connects again by itself.
  const connectOrListen = (...given: Parameters<pg.Pool['connect']> | []) => (given.length === 0 ? connect() : pool.connect(...given));
  return new Proxy(pool, { get: (target, key) => (key === 'connect' ? connectOrListen : (Reflect.get(target, key) as unknown)) });
}

const IDLE_POLL_MS = 10;

/** graphile-worker stops without waiting for the results of its last jobs to be stored; a pool that ends now would lose them. */
async function waitUntilIdle(pool: pg.Pool): Promise<void> {
  while (pool.waitingCount > 0 || pool.idleCount < pool.totalCount) await pause(IDLE_POLL_MS);
}

/** Looks back far enough to find one missed run. */
function cronItemOf({ name, at }: ScheduledTask): CronItem {
  const backfillPeriod = at.hour === undefined ? HOUR_MS : DAY_MS;
  return { task: name, match: `${at.minute} ${at.hour ?? '*'} * * *`, options: { backfillPeriod, jobKey: name } };
}

function handlerOf({ name, run: work }: ScheduledTask): TaskHandler {
  return { name, run: (_payload, { signal }) => work(signal) };
}

function taskListOf(tasks: readonly TaskHandler[]): TaskList {
  const list: TaskList = {};
  for (const { name, run: work } of tasks) {
    list[name] = (payload, helpers) =>
      work(payload, { isLast: helpers.job.attempts >= helpers.job.max_attempts, signal: helpers.abortSignal }).catch((error: unknown) =>
        postponeDuringBackup(error, helpers),
      );
  }
  return list;
}

const AFTER_BACKUP_MS = 60_000;

/** Work postponed by a backup has not failed: it is queued again a minute later with all its attempts. */
async function postponeDuringBackup(error: unknown, { job, addJob }: JobHelpers): Promise<void> {
  if (!(error instanceof BackupRunning)) throw error;
  const key = job.key === null ? {} : { jobKey: job.key };
  await addJob(job.task_identifier, job.payload, { ...key, runAt: new Date(Date.now() + AFTER_BACKUP_MS) });
}

/** Only logs the queue's warnings and errors. */
function queueLogger(log: Logger): QueueLogger {
  return new QueueLogger(() => (level, message) => {
    if (level === 'error' || level === 'warning') log.warn({ part: 'queue' }, message);
  });
}
