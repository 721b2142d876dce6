import { listRecords } from '../../platform/db/keyset-list.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { findRecords } from '../customers/find-records.ts';
import { listQuotesOfCustomers, quoteList } from './quotes.sql.ts';

export function findQuotes(scope: TenantScope, typed: string) {
  return findRecords(scope, typed, {
    list: (search) => listRecords(scope, quoteList, { search, sort: 'title', order: 'asc' }),
    listOfCustomers: (customerIds, limit) => listQuotesOfCustomers(scope, customerIds, limit),
    numberOf: ({ quote_number }) => quote_number,
  });
}
