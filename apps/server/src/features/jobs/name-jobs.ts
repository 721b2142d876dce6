import { changeAs } from '../../platform/db/tenant-scope.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publishChange } from '../../platform/live/live.ts';
import { type Attempt, defineTask, tenantOfTask } from '../../platform/queue/task.ts';
import { type BatchEnd, listJobsOf, type NamedRecord, takeNames } from './job-names.sql.ts';

/** Queued by the triggers of migration 0032 when a customer, person or category is renamed. */
export const nameJobs = defineTask<NamedRecord & { company_id: string }>('name-jobs');

const BATCH = 500;

/**
 * Sorts the jobs of a renamed record by its new name, in short transactions that lock nothing but their jobs. It writes the name that the
 * record has by then, so it can run twice, beside another one, and again from the start when it was interrupted.
 */
export async function nameJobsOf(
  { pools, now }: Pick<Platform, 'pools' | 'now'>,
  { company_id, ...record }: NamedRecord & { company_id: string },
  { signal }: Pick<Attempt, 'signal'>,
): Promise<void> {
  let [after, changed]: [BatchEnd | null, boolean] = [null, false];
  for (;;) {
    signal.throwIfAborted();
    const tenant = tenantOfTask(nameJobs.name, company_id, now().toISOString());
    const start: BatchEnd | null = after;
    const batch = await changeAs(pools.app, tenant, async (scope) => {
      const found = await listJobsOf(scope, record, start, BATCH);
      const ids = found.map(({ id }) => id);
      const named = ids.length > 0 ? await takeNames(scope, record.kind, ids) : 0;
      const [isChanged, last] = [changed || named > 0, found.length < BATCH ? undefined : found.at(-1)];
      // Once, at the end: every open list is read again for it.
      if (isChanged && !last) await publishChange(scope, 'jobs');
      return { isChanged, last };
    });
    if (!batch.last) return;
    [after, changed] = [batch.last, batch.isChanged];
  }
}
