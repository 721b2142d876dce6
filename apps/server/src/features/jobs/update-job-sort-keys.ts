import { runTenantTransaction } from '../../platform/db/tenant-scope.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publishChange } from '../../platform/live/live.ts';
import { defineTask, mintTaskTenant, type TaskAttempt } from '../../platform/queue/task.ts';
import { type JobBatchCursor, listNextJobBatch, type RenamedRecord, updateSortKeys } from './job-sort-keys.sql.ts';

/** Queued by triggers of migration 0032 when a customer, staff member or category is renamed, so its stored name can't change. */
export const updateJobSortKeysTask = defineTask<RenamedRecord & { company_id: string }>('name-jobs');

const BATCH_SIZE = 500;

/**
 * Copies a renamed record's new name into the sort keys of its jobs, in short transactions that lock only those jobs. Idempotent, even if
 * several attempts run concurrently, because each batch copies the name that is current at that time.
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
      // Published only once, with the last batch, because every open list refetches in response.
      if (isChanged && !last) await publishChange(scope, 'jobs');
      return { isChanged, last };
    });
    if (!batch.last) return;
    [after, changed] = [batch.last, batch.isChanged];
  }
}
