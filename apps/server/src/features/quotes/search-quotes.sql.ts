import { and, desc, eq, inArray } from 'drizzle-orm';
import { listRecords } from '../../platform/db/keyset-list.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { customers } from '../customers/customers.table.ts';
import { searchCustomerRecords } from '../customers/search-customer-records.ts';
import { quoteList } from './quotes.sql.ts';
import { quotes } from './quotes.table.ts';

export function searchQuotes(scope: TenantScope, searchText: string) {
  return searchCustomerRecords(scope, searchText, {
    listMatches: (search) => listRecords(scope, quoteList, { search, sort: 'title', order: 'asc' }),
    listByCustomerIds: (customerIds, limit) => listQuotesForCustomers(scope, customerIds, limit),
    getNumber: ({ quote_number }) => quote_number,
  });
}

/** Lists the customers' quotes, newest first. */
function listQuotesForCustomers(scope: TenantScope, customerIds: readonly string[], limit: number) {
  return (
    scope.db
      .select(quoteList.columns)
      .from(quotes)
      // With a join, Drizzle qualifies columns with their table name. Without one, columns inside the subqueries would be ambiguous.
      .innerJoin(customers, and(eq(customers.company_id, quotes.company_id), eq(customers.id, quotes.customer_id)))
      .where(and(inCompany(scope, quotes), inArray(quotes.customer_id, [...customerIds])))
      .orderBy(desc(quotes.created_at), desc(quotes.id))
      .limit(limit)
  );
}
