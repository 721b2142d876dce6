import { runTenantTransaction } from '../../platform/db/tenant-scope.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publishChange } from '../../platform/live/live.ts';
import { defineTask, mintTaskTenant, type TaskAttempt } from '../../platform/queue/task.ts';
import { type JobBatchCursor, listNextJobBatch, type RenamedRecord, updateSortKeys } from './job-sort-keys.sql.ts';

/** Queued by triggers when a customer, staff member or category is renamed. Migration 0032 contains the task name, so don't change it. */
export const updateJobSortKeysTask = defineTask<RenamedRecord & { company_id: string }>('name-jobs');

const BATCH_SIZE = 500;

/**
 * Copies a renamed record's new name into its jobs' sort keys, in short transactions that each lock only one batch of jobs. Idempotent,
 * even if several attempts run concurrently, because every batch reads the record's current name.
 */
export async function updateJobSortKeys(
  { pools, now }: Pick<Platform, 'pools' | 'now'>,
  { company_id, ...record }: RenamedRecord & { company_id: string },
  { signal }: Pick<TaskAttempt, 'signal'>,
): Promise<void> {
  let [after, changed]: [JobBatchCursor | null, boolean] = [null, false];
  for (;;) {
    signal.throwIfAborted();
    const tenant = mintTaskTenant(updateJobSortKeysTask.name, company_id, now().toISOString());
    const start: JobBatchCursor | null = after;
    const batch = await runTenantTransaction(pools.app, tenant, async (scope) => {
      const found = await listNextJobBatch(scope, record, start, BATCH_SIZE);
      const ids = found.map(({ id }) => id);
      const updated = ids.length > 0 ? await updateSortKeys(scope, record.kind, ids) : 0;
      const [isChanged, last] = [changed || updated > 0, found.length < BATCH_SIZE ? undefined : found.at(-1)];
      // Publish only once, with the last batch, because every open job list then refetches.
      if (isChanged && !last) await publishChange(scope, 'jobs');
      return { isChanged, last };
    });
    if (!batch.last) return;
    [after, changed] = [batch.last, batch.isChanged];
  }
}
