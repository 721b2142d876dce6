import type { QueueHealth } from '@callout/contract/admin';
import type pg from 'pg';

const MAX_RECENT_ERRORS = 20;
const MAX_ERROR_LENGTH = 500;

const IS_RUNNING = 'locked_at is not null';
const IS_WAITING = 'locked_at is null and attempts < max_attempts';
const HAS_FAILED = 'locked_at is null and attempts >= max_attempts';

interface JobCounts {
  readonly waiting: number;
  readonly running: number;
  readonly failed: number;
  readonly oldest_waiting: Date | null;
}

interface JobErrorRow {
  readonly id: string;
  readonly task: string;
  readonly attempts: number;
  readonly max_attempts: number;
  readonly last_error: string;
  readonly next_attempt: Date | null;
}

/** Reads job counts and recent errors, but no job payloads or query parameters, which may contain private data. */
export async function readQueueHealth(pool: pg.Pool): Promise<Omit<QueueHealth, 'sends_mail'>> {
  const counts = await pool.query<JobCounts>(
    `select count(*) filter (where ${IS_WAITING})::int as waiting, count(*) filter (where ${IS_RUNNING})::int as running,
        count(*) filter (where ${HAS_FAILED})::int as failed, min(created_at) filter (where ${IS_WAITING}) as oldest_waiting
      from graphile_worker.jobs`,
  );
  const errors = await pool.query<JobErrorRow>(
    `select id::text, task_identifier as task, attempts, max_attempts, left(split_part(last_error, E'\\nparams: ', 1), $2) as last_error,
        case when ${IS_WAITING} then run_at end as next_attempt
      from graphile_worker.jobs where last_error is not null order by updated_at desc, id desc limit $1`,
    [MAX_RECENT_ERRORS, MAX_ERROR_LENGTH],
  );
  const { oldest_waiting = null, ...rest } = counts.rows[0] ?? { waiting: 0, running: 0, failed: 0 };
  return {
    ...rest,
    oldest_waiting: oldest_waiting?.toISOString() ?? null,
    errors: errors.rows.map((error) => ({ ...error, next_attempt: error.next_attempt?.toISOString() ?? null })),
  };
}
