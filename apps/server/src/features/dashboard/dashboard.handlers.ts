import { calls, tenantQuery } from '../../platform/http/calls.ts';

const notBuilt = (): never => {
  throw new Error('Not built yet');
};

export const dashboardHandlers = {
  counts: calls.dashboard.counts.handler(tenantQuery(notBuilt)),
  categories: calls.dashboard.categories.handler(tenantQuery(notBuilt)),
  recentJobs: calls.dashboard.recentJobs.handler(tenantQuery(notBuilt)),
  money: calls.dashboard.money.handler(tenantQuery(notBuilt)),
};
