import type { ContractOutputs } from '@callout/contract/contract';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { calls, tenantQuery, tenantSnapshotQuery } from '../../platform/http/calls.ts';
import { readOpenBalances } from '../invoices/invoice-list.sql.ts';
import { countJobsByCategory, listRecentJobs, readDashboardCounts, readUninvoicedWork } from './dashboard.sql.ts';

export const dashboardHandlers = {
  counts: calls.dashboard.counts.handler(tenantQuery((scope) => readDashboardCounts(scope))),

  categories: calls.dashboard.categories.handler(tenantQuery((scope, { input }) => countJobsByCategory(scope, input))),

  recentJobs: calls.dashboard.recentJobs.handler(tenantQuery((scope, { input }) => listRecentJobs(scope, input))),

  money: calls.dashboard.money.handler(tenantSnapshotQuery((scope) => readMoneySummary(scope))),
};

/** Reads what customers owe, as in the invoice list, what of it isn't sent, and the total of complete jobs that aren't invoiced yet. */
async function readMoneySummary(scope: TenantScope): Promise<ContractOutputs['dashboard']['money']> {
  const { currency, timezone, uninvoiced } = await readUninvoicedWork(scope);
  return { currency, uninvoiced, ...(await readOpenBalances(scope, toLocalDate(scope.now, timezone))) };
}
