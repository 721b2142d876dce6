import { listRecords } from '../../platform/db/keyset-list.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { searchRecords } from '../customers/search-records.ts';
import { jobList } from './jobs.sql.ts';
import { listJobsForCustomers } from './search-jobs.sql.ts';

export function searchJobs(scope: TenantScope, searchText: string) {
  return searchRecords(scope, searchText, {
    listMatches: (search) => listRecords(scope, jobList, { search, sort: 'title', order: 'asc' }),
    listByCustomerIds: (customerIds, limit) => listJobsForCustomers(scope, customerIds, limit),
    getNumber: ({ job_number }) => job_number,
  });
}
