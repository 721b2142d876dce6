import { CUSTOMER_STATUSES } from '@callout/domain/customers/customer';
import { SlidersHorizontal } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { DebouncedSearchField } from '../../ui/debounced-search-field.tsx';
import { type Choice, SelectField } from '../../ui/select-field.tsx';
import {
  CUSTOMER_SORT_LABELS,
  CUSTOMER_SORTS,
  CUSTOMER_STATUS_LABELS,
  type CustomerFilter,
  changedFilters,
  naturalOrder,
  ORDER_LABELS,
} from './customer-filter.ts';

const ALL = 'all';
const STATUS_CHOICES: Choice[] = [
  { value: ALL, label: 'All customers' },
  ...CUSTOMER_STATUSES.map((value) => ({ value, label: CUSTOMER_STATUS_LABELS[value] })),
];
const SORT_CHOICES: Choice[] = CUSTOMER_SORTS.map((value) => ({ value, label: CUSTOMER_SORT_LABELS[value] }));
const ORDER_CHOICES: Choice[] = (['asc', 'desc'] as const).map((value) => ({ value, label: ORDER_LABELS[value] }));

interface CustomersToolbarProps {
  filter: CustomerFilter;
  onFilter: (filter: CustomerFilter) => void;
}

export function CustomersToolbar({ filter, onFilter }: CustomersToolbarProps) {
  const [open, setOpen] = useState(changedFilters(filter) > 0);
  const panel = useId();
  const { search: _search, ...others } = filter;
  return (
    <div className="mb-4">
      <div className="flex gap-2">
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
      <div id={panel} hidden={!open} className="mt-3">
        <CustomerFilterFields filter={filter} onFilter={onFilter} />
      </div>
    </div>
  );
}

function CustomerFilterFields({ filter, onFilter }: CustomersToolbarProps) {
  const { status: _status, ...others } = filter;
  const chooseStatus = (chosen: string) => {
    const status = CUSTOMER_STATUSES.find((known) => known === chosen);
    onFilter(status ? { ...others, status } : others);
  };
  const chooseSort = (chosen: string) => {
    const sort = CUSTOMER_SORTS.find((known) => known === chosen);
    if (sort) onFilter({ ...filter, sort, order: naturalOrder(sort) });
  };
  return (
    <div className="grid grid-cols-2 gap-3 lg:max-w-2xl lg:grid-cols-3">
      <SelectField
        label="Status"
        className="col-span-2 lg:col-span-1"
        choices={STATUS_CHOICES}
        value={filter.status ?? ALL}
        onChange={(event) => chooseStatus(event.target.value)}
      />
      <SelectField label="Sort by" choices={SORT_CHOICES} value={filter.sort} onChange={(event) => chooseSort(event.target.value)} />
      <SelectField
        label="Order"
        choices={ORDER_CHOICES}
        value={filter.order}
        onChange={(event) => onFilter({ ...filter, order: event.target.value === 'desc' ? 'desc' : 'asc' })}
      />
    </div>
  );
}
