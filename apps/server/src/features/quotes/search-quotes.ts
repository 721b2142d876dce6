import { listRecords } from '../../platform/db/keyset-list.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { searchRecords } from '../customers/search-records.ts';
import { listQuotesForCustomers, quoteList } from './quotes.sql.ts';

export function searchQuotes(scope: TenantScope, searchText: string) {
  return searchRecords(scope, searchText, {
    listMatches: (search) => listRecords(scope, quoteList, { search, sort: 'title', order: 'asc' }),
    listByCustomerIds: (customerIds, limit) => listQuotesForCustomers(scope, customerIds, limit),
    getNumber: ({ quote_number }) => quote_number,
  });
}
