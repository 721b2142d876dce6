import type { BoardFilter } from '@callout/contract/board';
import { BOARD_STATUSES } from '@callout/domain/jobs/job';
import { listFirstPagePerGroup } from '../../platform/db/keyset-list.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { calls, tenantQuery } from '../../platform/http/calls.ts';
import { jobList } from '../jobs/jobs.sql.ts';

export const boardHandlers = {
  get: calls.board.get.handler(tenantQuery(async (scope, { input }) => ({ columns: await readBoard(scope, input) }))),
};

/** Reads every column's total and newest jobs in a single statement. */
export async function readBoard(scope: TenantScope, filter: BoardFilter) {
  const pages = await listFirstPagePerGroup(scope, jobList, 'status', BOARD_STATUSES, { ...filter, sort: 'created_at', order: 'desc' });
  return pages.map(({ value, total, page }) => ({ status: value, total, ...page }));
}
