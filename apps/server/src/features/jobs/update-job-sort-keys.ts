import { runTenantTransaction } from '../../platform/db/tenant-scope.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publishChange } from '../../platform/live/live.ts';
import { defineTask, mintTaskTenant } from '../../platform/queue/task.ts';
import { type JobBatchCursor, listNextJobBatch, type RenamedRecord, updateSortKeys } from './job-sort-keys.sql.ts';

interface RenamedJobsPayload extends RenamedRecord {
  readonly company_id: string;
  /** The last job of the previous batch, and whether a batch has changed a job. The first batch has neither. */
  readonly after?: JobBatchCursor;
  readonly has_changes?: boolean;
}

/** Queued by triggers when a customer, staff member or category is renamed. Migration 0032 contains the task name, so don't change it. */
export const updateJobSortKeysTask = defineTask<RenamedJobsPayload>('name-jobs');

const BATCH_SIZE = 500;

/**
 * Copies a renamed record's new name into the sort keys of one batch of its jobs, and queues the next batch, so that other tasks run in
 * between. Idempotent, even if several attempts run concurrently, because every batch reads the record's current name.
 */
export async function updateJobSortKeys({ pools, now }: Pick<Platform, 'pools' | 'now'>, payload: RenamedJobsPayload): Promise<void> {
  const tenant = mintTaskTenant(updateJobSortKeysTask.name, payload.company_id, now().toISOString());
  await runTenantTransaction(pools.app, tenant, async (scope) => {
    const batch = await listNextJobBatch(scope, payload, payload.after ?? null, BATCH_SIZE);
    const ids = batch.map(({ id }) => id);
    const updated = ids.length > 0 ? await updateSortKeys(scope, payload.kind, ids) : 0;
    const has_changes = payload.has_changes === true || updated > 0;
    const after = batch[BATCH_SIZE - 1];
    if (after) await updateJobSortKeysTask.queue(scope, { ...payload, after, has_changes });
    // Publish only once, with the last batch, because every open job list then refetches.
    else if (has_changes) await publishChange(scope, 'jobs');
  });
}
