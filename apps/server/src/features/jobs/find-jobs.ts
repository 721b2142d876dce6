import { listRecords } from '../../platform/db/keyset-list.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { findRecords } from '../customers/find-records.ts';
import { listJobsOfCustomers } from './find-jobs.sql.ts';
import { jobList } from './jobs.sql.ts';

export function findJobs(scope: TenantScope, typed: string) {
  return findRecords(scope, typed, {
    list: (search) => listRecords(scope, jobList, { search, sort: 'title', order: 'asc' }),
    listOfCustomers: (customerIds, limit) => listJobsOfCustomers(scope, customerIds, limit),
    numberOf: ({ job_number }) => job_number,
  });
}
