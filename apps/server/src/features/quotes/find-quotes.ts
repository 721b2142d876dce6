import { listRecords } from '../../platform/db/keyset-list.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { customerList } from '../customers/customers.sql.ts';
import { MAX_FOUND, rankFound, withoutNumberSign } from '../jobs/find-jobs.ts';
import { listQuotesOfCustomers, quoteList } from './quotes.sql.ts';

/** What the command palette shows while somebody types; unlike the list it looks at customers, too. */
export async function findQuotes(scope: TenantScope, typed: string) {
  const search = withoutNumberSign(typed);
  if (!search) return [];
  const { rows: own } = await listRecords(scope, quoteList, { search, sort: 'title', order: 'asc' });
  const { rows: people } = await listRecords(scope, customerList, { search, sort: 'name', order: 'asc' });
  const customerIds = people.slice(0, MAX_FOUND).map(({ id }) => id);
  const ofPeople = customerIds.length > 0 ? await listQuotesOfCustomers(scope, customerIds, MAX_FOUND) : [];
  return rankFound({ search, own, ofPeople, numberOf: ({ quote_number }) => quote_number });
}
