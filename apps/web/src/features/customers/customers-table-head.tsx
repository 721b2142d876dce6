import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { CUSTOMER_SORT_LABELS, type CustomerFilter, naturalOrder } from './customer-filter.ts';
import { CUSTOMER_COLUMNS } from './customer-row.tsx';

interface CustomersTableHeadProps {
  filter: CustomerFilter;
  onFilter: (filter: CustomerFilter) => void;
}

/** The headings of a desk; what sorts is a button. Phones sort behind the filter toggle. */
export function CustomersTableHead({ filter, onFilter }: CustomersTableHeadProps) {
  const sortable = (sort: CustomerFilter['sort'], label = CUSTOMER_SORT_LABELS[sort]) => {
    const active = filter.sort === sort;
    const order = active ? (filter.order === 'asc' ? 'desc' : 'asc') : naturalOrder(sort);
    return (
      <SortButton active={active} order={filter.order} onClick={() => onFilter({ ...filter, sort, order })}>
        {label}
      </SortButton>
    );
  };
  return (
    <div className={`h-10 border-b px-5 text-sm font-medium text-ink-3 max-lg:hidden ${CUSTOMER_COLUMNS}`}>
      <span className="flex gap-4">
        {sortable('name')}
        {sortable('company_name', 'Company')}
      </span>
      <span>Phone</span>
      <span className="max-xl:hidden">Email</span>
      <span>Address</span>
      <span className="max-xl:hidden">{sortable('last_interaction')}</span>
      <span>Status</span>
    </div>
  );
}

interface SortButtonProps {
  active: boolean;
  order: CustomerFilter['order'];
  onClick: () => void;
  children: ReactNode;
}

function SortButton({ active, order, onClick, children }: SortButtonProps) {
  const Arrow = order === 'asc' ? ArrowUp : ArrowDown;
  return (
    <button
      type="button"
      onClick={onClick}
      aria-pressed={active}
      className="-mx-1.5 inline-flex items-center gap-1 justify-self-start rounded px-1.5 py-1 text-left whitespace-nowrap hover:text-ink aria-pressed:text-ink"
    >
      <span className="sr-only">Sort by </span>
      {children}
      {active && (
        <>
          <Arrow aria-hidden="true" className="size-3.5" />
          <span className="sr-only">{order === 'asc' ? ', ascending' : ', descending'}</span>
        </>
      )}
    </button>
  );
}
