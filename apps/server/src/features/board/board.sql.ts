import type { BoardFilter } from '@callout/contract/board';
import { BOARD_STATUSES } from '@callout/domain/jobs/job';
import { and, count, inArray } from 'drizzle-orm';
import { isListed, listFirstPages } from '../../platform/db/keyset-list.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { jobList } from '../jobs/jobs.sql.ts';
import { jobs } from '../jobs/jobs.table.ts';

/** Two statements, however many columns there are: the newest jobs of each, and how many it has in all. They fit together when read at one moment. */
export async function readBoard(scope: TenantScope, filter: BoardFilter) {
  const pages = await listFirstPages(scope, jobList, 'status', BOARD_STATUSES, { ...filter, sort: 'created_at', order: 'desc' });
  const counted = await scope.db
    .select({ status: jobs.status, total: count() })
    .from(jobs)
    .where(and(isListed(scope, jobList, filter), inArray(jobs.status, BOARD_STATUSES)))
    .groupBy(jobs.status);
  const totals = new Map(counted.map(({ status, total }) => [status, total]));
  return pages.map(({ value, page }) => ({ status: value, total: totals.get(value) ?? 0, ...page }));
}
