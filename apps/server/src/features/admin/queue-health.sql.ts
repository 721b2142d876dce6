import type { QueueHealth } from '@callout/contract/admin';
import type pg from 'pg';

const MAX_RECENT_ERRORS = 20;
const ERROR_LENGTH = 500;

const RUNNING = 'locked_at is not null';
const WAITING = 'locked_at is null and attempts < max_attempts';
const FAILED = 'locked_at is null and attempts >= max_attempts';

interface Counts {
  readonly waiting: number;
  readonly running: number;
  readonly failed: number;
  readonly oldest_waiting: Date | null;
}

interface RecentError {
  readonly id: string;
  readonly task: string;
  readonly attempts: number;
  readonly max_attempts: number;
  readonly last_error: string;
  readonly next_attempt: Date | null;
}

/** Reads the queue's own view, without payloads or the values of failed queries. */
export async function readQueueHealth(pool: pg.Pool): Promise<Omit<QueueHealth, 'sends_mail'>> {
  const counts = await pool.query<Counts>(
    `select count(*) filter (where ${WAITING})::int as waiting, count(*) filter (where ${RUNNING})::int as running,
        count(*) filter (where ${FAILED})::int as failed, min(created_at) filter (where ${WAITING}) as oldest_waiting
      from graphile_worker.jobs`,
  );
  const errors = await pool.query<RecentError>(
    `select id::text, task_identifier as task, attempts, max_attempts, left(split_part(last_error, E'\\nparams: ', 1), $2) as last_error,
        case when ${WAITING} then run_at end as next_attempt
      from graphile_worker.jobs where last_error is not null order by updated_at desc, id desc limit $1`,
    [MAX_RECENT_ERRORS, ERROR_LENGTH],
  );
  const { oldest_waiting = null, ...rest } = counts.rows[0] ?? { waiting: 0, running: 0, failed: 0 };
  return {
    ...rest,
    oldest_waiting: oldest_waiting?.toISOString() ?? null,
    errors: errors.rows.map((error) => ({ ...error, next_attempt: error.next_attempt?.toISOString() ?? null })),
  };
}
