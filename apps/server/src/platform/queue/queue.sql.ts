import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Logger } from 'pino';
import { WORKER_LOCK_PREFIX } from '../db/locks.sql.ts';
import { type EffectContext, getDatabase } from '../db/tenant-scope.ts';

export async function queueTask(context: EffectContext, task: string, payload: unknown, key?: string): Promise<void> {
  await getDatabase(context).execute(sql`select queue_work(${task}, ${JSON.stringify(payload)}::json, ${key ?? null})`);
}

/** Queues one task per payload in a single statement. */
export async function queueTasks(context: EffectContext, task: string, payloads: readonly unknown[]): Promise<void> {
  if (payloads.length === 0) return;
  await getDatabase(context).execute(
    sql`select queue_work(${task}, payload) from json_array_elements(${JSON.stringify(payloads)}::json) as payload`,
  );
}

/** Where a task is in the queue. A task that has failed before is 'retrying', and 'failed' once it isn't tried again. */
export type TaskState = 'running' | 'due' | 'scheduled' | 'retrying' | 'failed';

export interface QueuedTaskCount {
  readonly task: string;
  readonly state: TaskState;
  readonly count: number;
  /** For how long the oldest of them could have been running, in seconds; 0 if none is due. */
  readonly oldest_seconds: number;
}

/** Counts the tasks in the queue by name and state. Reads the whole queue, which is short unless something is wrong. */
export async function countQueuedTasks(pool: pg.Pool): Promise<QueuedTaskCount[]> {
  const { rows } = await pool.query<QueuedTaskCount>(
    `select task, state, count(*)::int as count, greatest(0, extract(epoch from now() - min(run_at)))::float as oldest_seconds
      from (select task_identifier as task, run_at, case when locked_at is not null then 'running' when attempts >= max_attempts then 'failed'
            when attempts > 0 then 'retrying' when run_at > now() then 'scheduled' else 'due' end as state
          from graphile_worker.jobs) as jobs group by task, state`,
  );
  return rows;
}

/** Sets last-run times that lie in the future to now, because the schedule would stall until then. Returns how many were set. */
export async function clampFutureCronRuns(pool: pg.Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `update graphile_worker._private_known_crontabs set last_execution = now() where last_execution > now() + interval '2 minutes'`,
  );
  return rowCount ?? 0;
}

/**
 * A killed worker leaves its jobs locked, and graphile-worker releases them only after four hours. So each worker holds an advisory lock
 * while it runs, and PostgreSQL drops that lock when the connection ends. The jobs of any worker without its lock are released immediately.
 */
const WORKER_LOCK_KEY = `hashtextextended('${WORKER_LOCK_PREFIX}' || $1, 0)`;

/** Grace period for a worker that has taken its first job but doesn't hold its lock yet. */
const LOCK_GRACE_SECONDS = 1;
const RECONNECT_DELAY_MS = 500;

/** Holds the worker's lock until the returned function is called. Reconnects and locks again when the connection is lost. */
export function holdWorkerLock(pool: pg.Pool, workerId: string, log: Logger): () => void {
  let client: pg.PoolClient | undefined;
  let retry: NodeJS.Timeout | undefined;
  let released = false;

  const hold = async () => {
    try {
      const next = await pool.connect();
      if (released) return next.release(true);
      client = next;
      next.once('end', () => {
        if (released) return;
        client = undefined;
        next.release(true);
        retry = setTimeout(() => void hold(), RECONNECT_DELAY_MS);
      });
      await next.query(`select pg_advisory_lock(${WORKER_LOCK_KEY})`, [workerId]);
    } catch (error) {
      if (released) return;
      log.warn({ part: 'queue', reason: error instanceof Error ? error.message : String(error) }, 'Lost the worker lock; trying again');
      if (!client) retry = setTimeout(() => void hold(), RECONNECT_DELAY_MS);
    }
  };

  void hold();
  return () => {
    released = true;
    clearTimeout(retry);
    client?.release(true);
  };
}

export async function releaseJobsOfDeadWorkers(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `select distinct locked_by as id from graphile_worker._private_jobs where locked_at < now() - make_interval(secs => $1)
      union select distinct locked_by from graphile_worker._private_job_queues where locked_at < now() - make_interval(secs => $1)`,
    [LOCK_GRACE_SECONDS],
  );
  for (const { id } of rows) {
    // Use a single statement, so that the lock is held only while the jobs are released.
    await pool.query(
      `select graphile_worker.force_unlock_workers(array[$1]) from (select pg_try_advisory_xact_lock(${WORKER_LOCK_KEY}) as is_dead) as worker where is_dead`,
      [id],
    );
  }
}
