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
import { BackupRunningError } from '../db/locks.sql.ts';
import { WORKER_COUNT } from '../db/pools.ts';
import { TELEMETRY_OFF, type Telemetry } from '../telemetry/telemetry.ts';
import { clampFutureCronRuns, holdWorkerLock, releaseJobsOfDeadWorkers } from './queue.sql.ts';
import type { ScheduledTask, TaskHandler } from './task.ts';

export interface Queue {
  /** Stops the queue once its running tasks have finished. */
  stop(): Promise<void>;
}

interface QueueDependencies {
  readonly pool: pg.Pool;
  readonly log: Logger;
  /** The number of tasks that run at the same time. */
  readonly workers?: number;
  readonly telemetry?: Pick<Telemetry, 'measureWork'>;
  /** If false, scheduled tasks run only when something else queues them. */
  readonly runsScheduledTasks?: boolean | undefined;
}

const POLL_INTERVAL_MS = 5_000;
const RELEASE_TASK_NAME = 'release-jobs-of-dead-workers';

/** Starts workers for the given tasks. Workers with different tasks may share the database: each takes only its own. */
export async function startQueue(
  { pool, log, workers = WORKER_COUNT, telemetry = TELEMETRY_OFF, runsScheduledTasks = true }: QueueDependencies,
  handlers: readonly TaskHandler[],
  scheduled: readonly ScheduledTask[],
): Promise<Queue> {
  const events = new EventEmitter() as WorkerEvents;
  const lock = new Promise<() => void>((resolve) => {
    events.once('pool:create', ({ workerPool }) => resolve(holdWorkerLock(pool, workerPool.id, log)));
  });
  // Release a killed server's jobs before taking the first one. Otherwise, they would wait for hours.
  await releaseJobsOfDeadWorkers(pool);
  if ((await clampFutureCronRuns(pool)) > 0) log.warn({ part: 'queue' }, 'The system clock was set back; scheduled tasks resume from now');
  const release: TaskHandler = { name: RELEASE_TASK_NAME, run: () => releaseJobsOfDeadWorkers(pool) };
  const runner = await run({
    pgPool: withRetryableConnects(pool),
    events,
    concurrency: workers,
    pollInterval: POLL_INTERVAL_MS,
    noHandleSignals: true,
    logger: createQueueLogger(log),
    parsedCronItems: parseCronItems([
      { task: RELEASE_TASK_NAME, match: '* * * * *', options: { jobKey: RELEASE_TASK_NAME } },
      ...(runsScheduledTasks ? scheduled.map(toCronItem) : []),
    ]),
    taskList: toTaskList([...handlers, release, ...scheduled.map(toTaskHandler)], telemetry),
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

/** Error codes for connections to a database that is restarting. */
const RESTART_ERROR_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE']);

/**
 * graphile-worker doesn't handle errors while it stores a job's result, so a restarting database would crash the process. It does retry on
 * ETIMEDOUT, so connection errors are given that code.
 */
function withRetryableConnects(pool: pg.Pool): pg.Pool {
  const connect = async () => {
    try {
      return await pool.connect();
    } catch (error) {
      const { code } = error as { code?: string };
      throw error instanceof Error && RESTART_ERROR_CODES.has(code ?? '') ? Object.assign(error, { code: 'ETIMEDOUT' }) : error;
    }
  };
  // A call with a callback comes from graphile-worker's listener, which handles reconnecting itself.
  const connectOrListen = (...args: Parameters<pg.Pool['connect']> | []) => (args.length === 0 ? connect() : pool.connect(...args));
  return new Proxy(pool, { get: (target, key) => (key === 'connect' ? connectOrListen : (Reflect.get(target, key) as unknown)) });
}

const IDLE_POLL_INTERVAL_MS = 10;

/** Waits until the last jobs' results are stored. graphile-worker doesn't, so ending the pool right after it stops would lose them. */
async function waitUntilIdle(pool: pg.Pool): Promise<void> {
  while (pool.waitingCount > 0 || pool.idleCount < pool.totalCount) await pause(IDLE_POLL_INTERVAL_MS);
}

/** Sets the backfill period to one interval of the schedule, so that exactly one missed run is caught up. */
function toCronItem({ name, schedule }: ScheduledTask): CronItem {
  const backfillPeriod = schedule.hour === undefined ? HOUR_MS : DAY_MS;
  return { task: name, match: `${schedule.minute} ${schedule.hour ?? '*'} * * *`, options: { backfillPeriod, jobKey: name } };
}

function toTaskHandler({ name, run: work }: ScheduledTask): TaskHandler {
  return { name, run: (_payload, { signal }) => work(signal) };
}

function toTaskList(tasks: readonly TaskHandler[], { measureWork }: Pick<Telemetry, 'measureWork'>): TaskList {
  const list: TaskList = {};
  for (const { name, run: work } of tasks) {
    list[name] = (payload, helpers) => {
      const attempt = { isLast: helpers.job.attempts >= helpers.job.max_attempts, signal: helpers.abortSignal };
      return measureWork('task', name, () => work(payload, attempt).catch((error: unknown) => postponeDuringBackup(error, helpers)));
    };
  }
  return list;
}

const BACKUP_RETRY_DELAY_MS = 60_000;

/** If a backup postponed the task, queues it again a minute later with all its attempts, because the task has not failed. */
async function postponeDuringBackup(error: unknown, { job, addJob }: JobHelpers): Promise<void> {
  if (!(error instanceof BackupRunningError)) throw error;
  const key = job.key === null ? {} : { jobKey: job.key };
  await addJob(job.task_identifier, job.payload, { ...key, runAt: new Date(Date.now() + BACKUP_RETRY_DELAY_MS) });
}

interface TaskFailure {
  readonly failure: true;
  readonly job: Pick<JobHelpers['job'], 'id' | 'task_identifier' | 'attempts'>;
  readonly error: unknown;
}

const isTaskFailure = (meta: object | undefined): meta is TaskFailure => meta !== undefined && 'failure' in meta && 'job' in meta;

function createQueueLogger(log: Logger): QueueLogger {
  return new QueueLogger(() => (level, message, meta) => {
    if (level !== 'error' && level !== 'warning') return;
    // The message contains the error's, which may contain personal data, so log the error itself, which the logger cleans.
    if (isTaskFailure(meta)) {
      const { job, error } = meta;
      log.warn({ part: 'queue', task: job.task_identifier, job: job.id, attempt: job.attempts, err: error }, 'Task failed');
    } else log.warn({ part: 'queue' }, message);
  });
}
