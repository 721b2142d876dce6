import { calls, tenantQuery, tenantSnapshotQuery } from '../../platform/http/calls.ts';
import { countJobsByCategory, countUncategorizedJobs, listRecentJobs, readDashboardCounts } from './dashboard.sql.ts';
import { readMoneySummary } from './read-money-summary.ts';

export const dashboardHandlers = {
  counts: calls.dashboard.counts.handler(tenantQuery((scope) => readDashboardCounts(scope))),

  categories: calls.dashboard.categories.handler(
    tenantQuery(async (scope, { input }) => ({
      rows: await countJobsByCategory(scope, input),
      uncategorized: await countUncategorizedJobs(scope, input),
    })),
  ),

  recentJobs: calls.dashboard.recentJobs.handler(tenantQuery((scope, { input }) => listRecentJobs(scope, input))),

  money: calls.dashboard.money.handler(tenantSnapshotQuery((scope) => readMoneySummary(scope))),
};
