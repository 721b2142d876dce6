import type { CustomerRow, CustomerSort } from '@callout/contract/customers';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, Users } from 'lucide-react';
import { buildPhoneUrl } from '../../lib/contact-urls.ts';
import { DisplayDate } from '../../lib/display-date.tsx';
import { getReadErrorMessage } from '../../lib/error-messages.ts';
import { getExactCount, getMatchingCount, ListCount } from '../../lib/list-count.tsx';
import { isFiltered } from '../../lib/list-filter.ts';
import { ListToolbar, NoMatches } from '../../lib/list-toolbar.tsx';
import { ListView } from '../../lib/query-view.tsx';
import { TimeZoneNote } from '../../lib/time-zone-note.tsx';
import { UnsentNotice } from '../../lib/unsent-notice.tsx';
import { DataTable, type RowLinkProps, type TableColumn, useHoverIntent } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { type CustomerFilter, type CustomerSearchParams, customerListFilter } from './customer-list-filter.ts';
import { customerCountQueryOptions, customerQueryOptions, useCustomers, useUnsentCustomer } from './customers.api.ts';

interface CustomersListPageProps {
  search: CustomerSearchParams;
  onSearchChange: (search: CustomerSearchParams) => void;
}

interface CustomerFilterProps {
  filter: CustomerFilter;
  onFilter: (filter: CustomerFilter) => void;
}

export function CustomersListPage({ search, onSearchChange }: CustomersListPageProps) {
  const filter = customerListFilter.fromParams(search);
  const onFilter = (changed: CustomerFilter) => onSearchChange(customerListFilter.toParams(changed));
  const totalCount = useQuery(customerCountQueryOptions()).data?.total;
  const matchingCount = getMatchingCount(useQuery(customerCountQueryOptions(filter)));
  return (
    <>
      <PageHeader
        title="Customers"
        note={<TimeZoneNote />}
        aside={
          <ListCount singular="customer" plural="customers" total={totalCount} matching={isFiltered(filter) ? matchingCount : undefined} />
        }
        actions={
          <LinkButton to="/customers/new" tone="primary">
            <Plus aria-hidden="true" />
            Add New
          </LinkButton>
        }
      />
      <ListToolbar definition={customerListFilter} filter={filter} onFilter={onFilter} />
      <CustomersTable filter={filter} onFilter={onFilter} total={getExactCount(matchingCount)} />
    </>
  );
}

const COLUMNS: readonly TableColumn<CustomerRow, CustomerSort>[] = [
  { label: 'Name', width: 'minmax(0, 1.3fr)', sort: 'name', cell: (customer) => <CustomerName customer={customer} /> },
  { label: 'Company', width: 'minmax(0, 1.1fr)', sort: 'company_name', cell: ({ company_name: company }) => company },
  { label: 'Phone', width: '9.5rem', className: 'tabular-nums', cell: ({ phone }) => phone },
  { label: 'Email', width: 'minmax(0, 1.2fr)', wideOnly: true, cell: ({ email }) => email },
  { label: 'Address', width: 'minmax(0, 1.3fr)', cell: ({ address }) => address },
  {
    label: 'Last interaction',
    width: '7.5rem',
    sort: 'last_interaction',
    wideOnly: true,
    className: 'tabular-nums',
    cell: ({ last_interaction: last }) => (last ? <DisplayDate instant={last} /> : '—'),
  },
];

function CustomersTable({ filter, onFilter, total }: CustomerFilterProps & { total: number | undefined }) {
  const list = useCustomers(filter);
  return (
    <ListView
      list={list}
      loading={{ label: 'Loading customers', count: 9, className: 'h-17 lg:h-12' }}
      empty={<NoCustomers filter={filter} onFilter={onFilter} />}
    >
      {(rows) => (
        <DataTable
          label="Customers"
          rows={rows}
          columns={COLUMNS}
          renderLink={(customer, props) => <CustomerRowLink id={customer.id} {...props} />}
          renderCard={(customer) => <CustomerCard customer={customer} />}
          renderPhoneActions={PhoneLink}
          rowHeight={{ desktop: 48, phone: 68 }}
          sorting={{ ...filter, onSort: (sort) => onFilter(customerListFilter.withSort(filter, sort)) }}
          paging={list}
          pagingError={getReadErrorMessage(list.error)}
          total={total}
          isOutdated={list.isPlaceholderData}
          stickyTopClass="top-[calc(var(--header-height)+3.25rem)]"
        />
      )}
    </ListView>
  );
}

/** Links to a customer and prefetches their data on hover. Ignores errors, because the customer page reports them. */
function CustomerRowLink({ id, ...props }: RowLinkProps & { id: string }) {
  const queryClient = useQueryClient();
  const prefetchHandlers = useHoverIntent(() => void queryClient.query(customerQueryOptions(id)).catch(() => undefined));
  return <Link to="/customers/$id" params={{ id }} {...prefetchHandlers} {...props} />;
}

function CustomerName({ customer: { id, name, status, matched, contact_name: contact } }: { customer: CustomerRow }) {
  const isUnsent = useUnsentCustomer(id) !== undefined;
  return (
    <span className="flex items-center gap-2 large-text:flex-wrap">
      <span data-name="" className="truncate font-medium text-ink">
        {name}
      </span>
      {isUnsent && <UnsentNotice />}
      {status === 'inactive' && <StatusPill text="Inactive" />}
      {matched === 'contact' && contact && <span className="truncate text-sm text-ink-3">Contact: {contact}</span>}
    </span>
  );
}

function CustomerCard({ customer }: { customer: CustomerRow }) {
  return (
    <>
      <CustomerName customer={customer} />
      <span className="truncate text-sm text-ink-2">{customer.company_name ?? customer.address}</span>
    </>
  );
}

function PhoneLink({ name, phone }: CustomerRow) {
  const href = buildPhoneUrl(phone);
  if (href === null) return null;
  return (
    <a
      href={href}
      aria-label={`Call ${name}, ${phone}`}
      className="flex h-full max-w-[45%] shrink-0 items-center px-4 text-base font-medium text-accent-ink tabular-nums -outline-offset-2 large-text:max-w-none large-text:basis-full large-text:pb-4"
    >
      <span className="truncate">{phone}</span>
    </a>
  );
}

function NoCustomers({ filter, onFilter }: CustomerFilterProps) {
  const { search } = filter;
  const filtered = isFiltered(filter);
  const message = 'No customers found';
  const add = (
    <LinkButton to="/customers/new" search={search ? { name: search } : {}} tone={filtered ? 'secondary' : 'primary'}>
      <Plus aria-hidden="true" />
      Add New Customer
    </LinkButton>
  );
  if (filtered) return <NoMatches definition={customerListFilter} filter={filter} onFilter={onFilter} sentence={message} addAction={add} />;
  return <EmptyState icon={Users} message={message} hint="Add your first customer to start quoting and booking jobs." action={add} />;
}
