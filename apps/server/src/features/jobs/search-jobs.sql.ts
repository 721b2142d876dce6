import { and, desc, eq, inArray } from 'drizzle-orm';
import { listRecords } from '../../platform/db/keyset-list.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { customers } from '../customers/customers.table.ts';
import { searchCustomerRecords } from '../customers/search-customer-records.ts';
import { jobList } from './jobs.sql.ts';
import { jobs } from './jobs.table.ts';

export function searchJobs(scope: TenantScope, searchText: string) {
  return searchCustomerRecords(scope, searchText, {
    listMatches: (search) => listRecords(scope, jobList, { search, sort: 'title', order: 'asc' }),
    listByCustomerIds: (customerIds, limit) => listJobsForCustomers(scope, customerIds, limit),
    getNumber: ({ job_number }) => job_number,
  });
}

/** Lists the customers' jobs, newest first. */
function listJobsForCustomers(scope: TenantScope, customerIds: readonly string[], limit: number) {
  return (
    scope.db
      .select(jobList.columns)
      .from(jobs)
      // With a join, Drizzle qualifies columns with their table name. Without one, columns inside the subqueries would be ambiguous.
      .innerJoin(customers, and(eq(customers.company_id, jobs.company_id), eq(customers.id, jobs.customer_id)))
      .where(and(inCompany(scope, jobs), inArray(jobs.customer_id, [...customerIds])))
      .orderBy(desc(jobs.created_at), desc(jobs.id))
      .limit(limit)
  );
}
