import type { CustomerRow, CustomerSort } from '@callout/contract/customers';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, SearchX, SlidersHorizontal, Users } from 'lucide-react';
import { useId, useState } from 'react';
import { centralMessage } from '../../lib/error-messages.ts';
import { localDate } from '../../lib/local-date.ts';
import { uniqueRows } from '../../lib/paged-rows.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { type Column, DataTable, type RowLink } from '../../ui/data-table.tsx';
import { DebouncedSearchField } from '../../ui/debounced-search-field.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { useIntent } from '../../ui/use-intent.ts';
import { phoneLink } from './contact-links.ts';
import {
  CUSTOMER_SORT_CHOICES,
  CUSTOMER_STATUS_CHOICES,
  type CustomerFilter,
  type CustomersSearch,
  changedFilters,
  customerFilter,
  customersSearch,
  isFiltered,
  naturalOrder,
  ORDER_CHOICES,
} from './customer-filter.ts';
import { customerOptions, customersCountOptions, customersListOptions } from './customers.api.ts';

interface CustomersListPageProps {
  search: CustomersSearch;
  onSearch: (search: CustomersSearch) => void;
}

interface FilterProps {
  filter: CustomerFilter;
  onFilter: (filter: CustomerFilter) => void;
}

export function CustomersListPage({ search, onSearch }: CustomersListPageProps) {
  const filter = customerFilter(search);
  const onFilter = (changed: CustomerFilter) => onSearch(customersSearch(changed));
  return (
    <>
      <PageHeader
        title="Customers"
        aside={<CustomerCount filter={filter} />}
        actions={
          <LinkButton to="/customers/new" tone="primary">
            <Plus aria-hidden="true" />
            Add New
          </LinkButton>
        }
      />
      <CustomersToolbar filter={filter} onFilter={onFilter} />
      <CustomersTable filter={filter} onFilter={onFilter} />
    </>
  );
}

/** Its place is kept while it is read, and on phones it is only the number, so that the title never wraps. */
function CustomerCount({ filter }: { filter: CustomerFilter }) {
  const all = useQuery(customersCountOptions()).data?.total;
  const found = useQuery(customersCountOptions(filter)).data?.total;
  if (all === undefined || found === undefined) return <span aria-hidden="true">&nbsp;</span>;
  return (
    <span className="tabular-nums">
      {isFiltered(filter) && `${found.toLocaleString('en-US')} of `}
      {all.toLocaleString('en-US')}
      <span className="max-sm:sr-only">{all === 1 ? ' customer' : ' customers'}</span>
    </span>
  );
}

/** The search stays in reach however far the list is scrolled. */
function CustomersToolbar({ filter, onFilter }: FilterProps) {
  const [open, setOpen] = useState(changedFilters(filter) > 0);
  const panel = useId();
  const { search: _search, ...others } = filter;
  return (
    <>
      <div className="sticky top-(--header-height) z-20 -mx-4 flex gap-2 bg-canvas px-4 py-2 lg:mx-0 lg:px-0">
        <DebouncedSearchField
          label="Search customers"
          placeholder="Search customers"
          maxLength={200}
          value={filter.search ?? ''}
          onChange={(search) => onFilter(search ? { ...others, search } : others)}
          className="flex-1 lg:max-w-md"
        />
        <Button aria-expanded={open} aria-controls={panel} onClick={() => setOpen(!open)}>
          <SlidersHorizontal aria-hidden="true" />
          Filters
          {changedFilters(filter) > 0 && (
            <span className="inline-flex h-5 min-w-5 items-center justify-center rounded-full bg-accent-soft px-1.5 text-xs text-accent-ink">
              {changedFilters(filter)}
            </span>
          )}
        </Button>
      </div>
      <div id={panel} hidden={!open} className="pt-1 pb-3">
        <CustomerFilterFields filter={filter} onFilter={onFilter} />
      </div>
    </>
  );
}

const ALL = { value: 'all', label: 'All customers' };

function CustomerFilterFields({ filter, onFilter }: FilterProps) {
  const { status: _status, ...others } = filter;
  const chooseStatus = (chosen: string) => {
    const status = CUSTOMER_STATUS_CHOICES.find(({ value }) => value === chosen)?.value;
    onFilter(status ? { ...others, status } : others);
  };
  const chooseSort = (chosen: string) => {
    const sort = CUSTOMER_SORT_CHOICES.find(({ value }) => value === chosen)?.value;
    if (sort) onFilter({ ...filter, sort, order: naturalOrder(sort) });
  };
  return (
    <div className="grid grid-cols-2 gap-3 lg:max-w-2xl lg:grid-cols-3">
      <SelectField
        label="Status"
        className="col-span-2 lg:col-span-1"
        choices={[ALL, ...CUSTOMER_STATUS_CHOICES]}
        value={filter.status ?? ALL.value}
        onChange={(event) => chooseStatus(event.target.value)}
      />
      <SelectField
        label="Sort by"
        choices={CUSTOMER_SORT_CHOICES}
        value={filter.sort}
        onChange={(event) => chooseSort(event.target.value)}
      />
      <SelectField
        label="Order"
        choices={ORDER_CHOICES}
        value={filter.order}
        onChange={(event) => onFilter({ ...filter, order: event.target.value === 'desc' ? 'desc' : 'asc' })}
      />
    </div>
  );
}

const COLUMNS: readonly Column<CustomerRow, CustomerSort>[] = [
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
    cell: ({ last_interaction: last }) => (last ? localDate(last) : '—'),
  },
];

function CustomersTable({ filter, onFilter }: FilterProps) {
  const list = useInfiniteQuery(customersListOptions(filter));
  const total = useQuery(customersCountOptions(filter)).data?.total;
  const onSort = (sort: CustomerSort) => {
    const reversed = filter.order === 'asc' ? 'desc' : 'asc';
    onFilter({ ...filter, sort, order: filter.sort === sort ? reversed : naturalOrder(sort) });
  };
  return (
    <QueryView
      query={list}
      inCard
      skeleton={
        <Card className="overflow-clip">
          <SkeletonRows label="Loading customers" count={9} className="h-17 lg:h-12" />
        </Card>
      }
      isEmpty={({ pages }) => pages.every(({ rows }) => rows.length === 0)}
      empty={<NoCustomers filter={filter} onFilter={onFilter} />}
    >
      {({ pages }) => (
        <DataTable
          label="Customers"
          rows={uniqueRows(pages)}
          columns={COLUMNS}
          renderLink={(customer, props) => <CustomerLink id={customer.id} {...props} />}
          renderCard={(customer) => <CustomerCard customer={customer} />}
          renderPhoneAside={CallLink}
          rowHeight={{ desk: 48, phone: 68 }}
          sorting={{ ...filter, onSort }}
          paging={list}
          pagingError={centralMessage(list.error)}
          total={total}
          isOld={list.isPlaceholderData}
          headTop="top-[calc(var(--header-height)+3.25rem)]"
        />
      )}
    </QueryView>
  );
}

/** Reads the customer ahead while the pointer rests on the row. A guess: when it fails, the page itself asks again and says so. */
function CustomerLink({ id, ...props }: RowLink & { id: string }) {
  const queryClient = useQueryClient();
  const readAhead = useIntent(() => void queryClient.query(customerOptions(id)).catch(() => undefined));
  return <Link to="/customers/$id" params={{ id }} {...readAhead} {...props} />;
}

function CustomerName({ customer: { name, status } }: { customer: CustomerRow }) {
  return (
    <span className="flex items-center gap-2">
      <span data-name="" className="truncate font-medium text-ink">
        {name}
      </span>
      {status === 'inactive' && <StatusPill text="Inactive" />}
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

function CallLink({ name, phone }: CustomerRow) {
  const href = phoneLink(phone);
  if (href === null) return null;
  return (
    <a
      href={href}
      aria-label={`Call ${name}`}
      className="flex h-full max-w-[45%] shrink-0 items-center px-4 text-base font-medium text-accent-ink tabular-nums -outline-offset-2"
    >
      <span className="truncate">{phone}</span>
    </a>
  );
}

/** Nothing there at all, or nothing that fits: the second has a way back to everything. */
function NoCustomers({ filter, onFilter }: FilterProps) {
  const { search, status, sort, order } = filter;
  const filtered = isFiltered(filter);
  const add = (
    <LinkButton to="/customers/new" search={search ? { name: search } : {}} tone={filtered ? 'secondary' : 'primary'}>
      <Plus aria-hidden="true" />
      Add New Customer
    </LinkButton>
  );
  if (!filtered) {
    return (
      <EmptyState
        icon={Users}
        sentence="No customers found"
        hint="Add your first customer to start quoting and booking jobs."
        action={add}
      />
    );
  }
  return (
    <EmptyState
      icon={SearchX}
      sentence="No customers found"
      hint={search ? `Nothing matches “${search}”${status ? ` among ${status} customers` : ''}.` : `There are no ${status} customers.`}
      action={
        <>
          <Button tone="primary" onClick={() => onFilter({ sort, order })}>
            Clear search and filter
          </Button>
          {add}
        </>
      }
    />
  );
}
