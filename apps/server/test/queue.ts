import { vi } from 'vitest';
import { withOwnerClient } from './database.ts';
import type { TestApp } from './test-app.ts';

const DUE_CONDITION = 'run_at <= now() and attempts < max_attempts';

/** Waits until no queued job is running or ready to run. */
export async function waitForQueue(test: TestApp): Promise<void> {
  const isIdle = async () =>
    (await test.owner.query(`select from graphile_worker.jobs where locked_at is not null or ${DUE_CONDITION}`)).rowCount === 0;
  await vi.waitUntil(isIdle, { timeout: 20_000, interval: 10 });
}

/** Retries failed jobs immediately instead of waiting for their backoff. */
export async function retryFailedWorkNow(test: TestApp): Promise<void> {
  await withOwnerClient(test.database, (client) =>
    client.query(
      `select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()), pg_notify('jobs:insert', '{"count":1}')
        from graphile_worker.jobs where attempts < max_attempts`,
    ),
  );
}

/** Postpones all queued jobs, so that none of them runs during a test. */
export async function postponeQueuedWork(test: TestApp): Promise<void> {
  await withOwnerClient(test.database, (client) =>
    client.query(
      `select graphile_worker.reschedule_jobs(array_agg(id), run_at => now() + interval '1 day') from graphile_worker.jobs where attempts < max_attempts`,
    ),
  );
}
