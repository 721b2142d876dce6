import { calls, tenantQuery, tenantSnapshotQuery } from '../../platform/http/calls.ts';
import { countJobsByCategory, listRecentJobs, readCounts } from './dashboard.sql.ts';
import { readMoney } from './read-money.ts';

export const dashboardHandlers = {
  counts: calls.dashboard.counts.handler(tenantQuery((scope) => readCounts(scope))),

  categories: calls.dashboard.categories.handler(
    tenantQuery(async (scope, { input }) => ({ rows: await countJobsByCategory(scope, input) })),
  ),

  recentJobs: calls.dashboard.recentJobs.handler(tenantQuery((scope, { input }) => listRecentJobs(scope, input))),

  money: calls.dashboard.money.handler(tenantSnapshotQuery((scope) => readMoney(scope))),
};
