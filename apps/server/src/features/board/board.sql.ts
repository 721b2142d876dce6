import type { BoardFilter } from '@callout/contract/board';
import { BOARD_STATUSES } from '@callout/domain/jobs/job';
import { listFirstPages } from '../../platform/db/keyset-list.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { jobList } from '../jobs/jobs.sql.ts';

/** One statement, however many columns there are: the newest jobs of each, and how many it has in all. */
export async function readBoard(scope: TenantScope, filter: BoardFilter) {
  const pages = await listFirstPages(scope, jobList, 'status', BOARD_STATUSES, { ...filter, sort: 'created_at', order: 'desc' });
  return pages.map(({ value, total, page }) => ({ status: value, total, ...page }));
}
