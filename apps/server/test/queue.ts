import { vi } from 'vitest';
import { withOwner } from './database.ts';
import type { TestApp } from './test-app.ts';

const DUE = 'run_at <= now() and attempts < max_attempts';

/** Waits until no job is running or due. */
export async function waitForQueue(test: TestApp): Promise<void> {
  const isSettled = async () =>
    (await test.owner.query(`select from graphile_worker.jobs where locked_at is not null or ${DUE}`)).rowCount === 0;
  await vi.waitUntil(isSettled, { timeout: 20_000, interval: 10 });
}

/** Retries failed work now instead of some seconds later. */
export async function retryNow(test: TestApp): Promise<void> {
  await withOwner(test.database, (client) =>
    client.query(
      `select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()), pg_notify('jobs:insert', '{"count":1}')
        from graphile_worker.jobs where attempts < max_attempts`,
    ),
  );
}

/** Keeps failed work from being retried during a test. */
export async function postponeWork(test: TestApp): Promise<void> {
  await withOwner(test.database, (client) =>
    client.query(
      `select graphile_worker.reschedule_jobs(array_agg(id), run_at => now() + interval '1 day') from graphile_worker.jobs where attempts < max_attempts`,
    ),
  );
}
