import type { CustomerRow, CustomerSort } from '@callout/contract/customers';
import { customerLabel } from '@callout/domain/customers/customer';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, Users } from 'lucide-react';
import { phoneLink } from '../../lib/contact-links.tsx';
import { centralMessage } from '../../lib/error-messages.ts';
import { isFiltered, ListCount, ListToolbar, NoMatches } from '../../lib/list-filter.tsx';
import { uniqueRows } from '../../lib/query-cache.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { localDate } from '../../lib/time-zone.ts';
import { Card } from '../../ui/card.tsx';
import { type Column, DataTable, type RowLink, useIntent } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { type CustomerFilter, type CustomersSearch, customerFilter } from './customer-filter.ts';
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
  const filter = customerFilter.read(search);
  const onFilter = (changed: CustomerFilter) => onSearch(customerFilter.write(changed));
  const all = useQuery(customersCountOptions()).data?.total;
  const found = useQuery(customersCountOptions(filter)).data?.total;
  return (
    <>
      <PageHeader
        title="Customers"
        aside={<ListCount one="customer" many="customers" all={all} found={isFiltered(filter) ? found : undefined} />}
        actions={
          <LinkButton to="/customers/new" tone="primary">
            <Plus aria-hidden="true" />
            Add New
          </LinkButton>
        }
      />
      <ListToolbar definition={customerFilter} filter={filter} onFilter={onFilter} />
      <CustomersTable filter={filter} onFilter={onFilter} total={found} />
    </>
  );
}

const COLUMNS: readonly Column<CustomerRow, CustomerSort>[] = [
  { label: 'Name', width: 'minmax(0, 1.6fr)', sort: 'name', cell: (customer) => <CustomerName customer={customer} /> },
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

function CustomersTable({ filter, onFilter, total }: FilterProps & { total: number | undefined }) {
  const list = useInfiniteQuery(customersListOptions(filter));
  return (
    <QueryView
      query={list}
      inCard
      skeleton={
        <Card className="overflow-clip">
          <SkeletonRows label="Loading customers" count={9} className="h-17 lg:h-13" />
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
          rowHeight={{ desk: 52, phone: 68 }}
          sorting={{ ...filter, onSort: (sort) => onFilter(customerFilter.sortBy(filter, sort)) }}
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

/** A company is known by its name; the person there stands below it. */
function CustomerName({ customer }: { customer: CustomerRow }) {
  const { name, company_name: company, status, matched, contact_name: contact } = customer;
  return (
    <>
      <span className="flex items-center gap-2">
        <span data-name="" className="truncate font-medium text-ink">
          {customerLabel(customer)}
        </span>
        {status === 'inactive' && <StatusPill text="Inactive" />}
        {matched === 'contact' && contact && <span className="truncate text-sm text-ink-3">Contact: {contact}</span>}
      </span>
      {company && <span className="block truncate text-sm text-ink-2">{name}</span>}
    </>
  );
}

function CustomerCard({ customer }: { customer: CustomerRow }) {
  return (
    <>
      <CustomerName customer={customer} />
      {!customer.company_name && <span className="truncate text-sm text-ink-2">{customer.address}</span>}
    </>
  );
}

function CallLink({ name, phone }: CustomerRow) {
  const href = phoneLink(phone);
  if (href === null) return null;
  return (
    <a
      href={href}
      aria-label={`Call ${name}, ${phone}`}
      className="flex h-full max-w-[45%] shrink-0 items-center px-4 text-base font-medium text-accent-ink tabular-nums -outline-offset-2"
    >
      <span className="truncate">{phone}</span>
    </a>
  );
}

function NoCustomers({ filter, onFilter }: FilterProps) {
  const { search } = filter;
  const filtered = isFiltered(filter);
  const sentence = 'No customers found';
  const add = (
    <LinkButton to="/customers/new" search={search ? { name: search } : {}} tone={filtered ? 'secondary' : 'primary'}>
      <Plus aria-hidden="true" />
      Add New Customer
    </LinkButton>
  );
  if (filtered) return <NoMatches definition={customerFilter} filter={filter} onFilter={onFilter} sentence={sentence} add={add} />;
  return <EmptyState icon={Users} sentence={sentence} hint="Add your first customer to start quoting and booking jobs." action={add} />;
}
