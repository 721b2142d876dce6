import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { centralMessage } from '../../lib/error-messages.ts';
import { uniqueRows } from '../../lib/unique-rows.ts';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/classes.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { type CustomerFilter, type CustomersSearch, customerFilter, customersSearch } from './customer-filter.ts';
import { CustomerRowSkeleton } from './customer-row.tsx';
import { customersListOptions } from './customers.api.ts';
import { customersCountOptions } from './customers-count.api.ts';
import { CustomersRows } from './customers-rows.tsx';
import { CustomersTableHead } from './customers-table-head.tsx';
import { CustomersToolbar } from './customers-toolbar.tsx';
import { NoCustomers } from './no-customers.tsx';

interface CustomersListPageProps {
  search: CustomersSearch;
  onSearch: (search: CustomersSearch) => void;
}

export function CustomersListPage({ search, onSearch }: CustomersListPageProps) {
  const filter = customerFilter(search);
  const onFilter = (changed: CustomerFilter) => onSearch(customersSearch(changed));
  const count = useQuery(customersCountOptions(filter));
  return (
    <>
      <PageHeader
        title="Customers"
        aside={<CustomerCount total={count.data?.total} />}
        actions={
          <LinkButton to="/customers/new" tone="primary">
            <Plus aria-hidden="true" />
            Add New
          </LinkButton>
        }
      />
      <CustomersToolbar filter={filter} onFilter={onFilter} />
      <CustomersTable filter={filter} onFilter={onFilter} total={count.data?.total} />
    </>
  );
}

/** Its place is kept while it is read, and on phones it is only the number, so that the title never wraps. */
function CustomerCount({ total }: { total: number | undefined }) {
  if (total === undefined) return <span aria-hidden="true">&nbsp;</span>;
  return (
    <span className="tabular-nums">
      {total.toLocaleString('en-US')}
      <span className="max-sm:sr-only">{total === 1 ? ' customer' : ' customers'}</span>
    </span>
  );
}

interface CustomersTableProps {
  filter: CustomerFilter;
  onFilter: (filter: CustomerFilter) => void;
  total: number | undefined;
}

function CustomersTable({ filter, onFilter, total }: CustomersTableProps) {
  const list = useInfiniteQuery(customersListOptions(filter));
  if (!list.data) {
    return (
      <Card className="overflow-clip">
        {list.isError ? (
          <ErrorState message={centralMessage(list.error)} onRetry={() => void list.refetch()} retrying={list.isFetching} />
        ) : (
          <CustomersSkeleton />
        )}
      </Card>
    );
  }
  const rows = uniqueRows(list.data.pages);
  if (rows.length === 0) return <NoCustomers filter={filter} onFilter={onFilter} />;
  return (
    <Card className={classes('overflow-clip transition-opacity duration-120', list.isPlaceholderData && 'opacity-60')}>
      <CustomersTableHead filter={filter} onFilter={onFilter} />
      <CustomersRows rows={rows} total={total} list={list} />
    </Card>
  );
}

const PLACEHOLDERS = Array.from({ length: 8 }, (_, index) => `row-${index}`);

function CustomersSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading customers</span>
      <div className="h-10 border-b max-lg:hidden" />
      {PLACEHOLDERS.map((row) => (
        <CustomerRowSkeleton key={row} />
      ))}
    </div>
  );
}
