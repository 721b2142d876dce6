import { type EffectContext, runTenantTransaction } from '../../platform/db/tenant-scope.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publishChange } from '../../platform/live/live.ts';
import { defineTask, mintTaskTenant } from '../../platform/queue/task.ts';
import { lockOutdatedJobs } from './job-billing.sql.ts';
import { repriceAndSettle } from './settle-job.ts';

interface RepriceJobsPayload {
  readonly company_id: string;
  /** The last job of the previous batch; null for the first batch. */
  readonly after: string | null;
}

/** Queued by a trigger when a company changes its tax rate or currency. Migration 0062 contains the task name, so don't change it. */
export const repriceJobsTask = defineTask<RepriceJobsPayload>('reprice-jobs');

/** Does what the trigger does. */
export const queueRepricing = (context: EffectContext, companyId: string) =>
  repriceJobsTask.queue(context, { company_id: companyId, after: null }, `${repriceJobsTask.name} ${companyId}`);

const BATCH_SIZE = 100;

/**
 * Reprices and settles one batch of the jobs that follow the company's tax rate, and queues the next batch, so that the tasks of other
 * companies run in between. Idempotent. Until its batch comes, lists and sums have the price at the rate stored with the job. Its pages
 * already show the new price (`findJob`), and commands that change its price or payments reprice it first (`lockPricedJob`).
 */
export async function repriceJobs(
  { pools, now }: Pick<Platform, 'pools' | 'now'>,
  { company_id, after }: RepriceJobsPayload,
): Promise<void> {
  const tenant = mintTaskTenant(repriceJobsTask.name, company_id, now().toISOString());
  await runTenantTransaction(pools.app, tenant, async (scope) => {
    const ids = await lockOutdatedJobs(scope, after, BATCH_SIZE);
    for (const id of ids) await repriceAndSettle(scope, id);
    if (ids.length > 0) await publishChange(scope, 'jobs', 'invoices');
    if (ids.length === BATCH_SIZE) await repriceJobsTask.queue(scope, { company_id, after: ids.at(-1) ?? null });
  });
}
