import { type JobHelpers, Logger, type Runner, run } from 'graphile-worker';
import { BackupRunning } from '../db/backup-lock.ts';
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
        (payload: unknown, helpers: JobHelpers) =>
          task
            .run(payload as never, platform, { isLast: helpers.job.attempts >= helpers.job.max_attempts })
            .catch((error: unknown) => postponeDuringBackup(error, helpers)),
      ]),
    ),
  });
  return { stop: () => runner.stop() };
}

const AFTER_BACKUP_MS = 60_000;

/** Work that a backup keeps waiting has not failed: it comes again in a minute, with all its attempts. */
async function postponeDuringBackup(error: unknown, { job, addJob }: JobHelpers): Promise<void> {
  if (!(error instanceof BackupRunning)) throw error;
  const key = job.key === null ? {} : { jobKey: job.key };
  await addJob(job.task_identifier, job.payload, { ...key, runAt: new Date(Date.now() + AFTER_BACKUP_MS) });
}

/** The queue's own chatter is not news; its warnings and errors are. */
function queueLogger(platform: Platform): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error' || level === 'warning') platform.log.warn({ part: 'queue' }, message);
  });
}
