import type { InvoiceSummary } from '@callout/contract/invoices';
import { formatCount, MAX_SUMMED_ROWS } from '@callout/domain/text/count-format';
import { X } from 'lucide-react';
import { useId, useState } from 'react';
import { SortSelect } from '../../lib/list-toolbar.tsx';
import { PeriodFilter } from '../../lib/period-filter.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { DebouncedSearchField } from '../../ui/debounced-search-field.tsx';
import { FilterToggle } from '../../ui/filter-toggle.tsx';
import { getActiveTab, INVOICE_SORT_CHOICES, INVOICE_TABS, type InvoiceListFilter, withTab } from './invoice-list-filter.ts';

interface InvoiceListToolbarProps {
  filter: InvoiceListFilter;
  onFilter: (filter: InvoiceListFilter) => void;
  /** Number of invoices per tab; undefined while loading. */
  counts: InvoiceSummary['filters'] | undefined;
  /** Today's date in the company's time zone, 'yyyy-MM-dd'. */
  today: string;
  /** Name of the customer being filtered by; undefined until one of their invoices is loaded. */
  customerName: string | undefined;
}

/** Tabs and search are always visible. On phones, a button reveals the period and the sort order. */
export function InvoiceListToolbar({ filter, onFilter, counts, today, customerName }: InvoiceListToolbarProps) {
  const { from, to, customer_id: customerId } = filter;
  const activeCount = (from ?? to) ? 1 : 0;
  const [isOpen, setOpen] = useState(activeCount > 0);
  const panelId = useId();
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <InvoiceTabs filter={filter} onFilter={onFilter} counts={counts} />
      <DebouncedSearchField
        label="Search invoices"
        placeholder="Search invoices..."
        maxLength={200}
        value={filter.search ?? ''}
        onChange={(term) => onFilter(withSearch(filter, term))}
        className="flex-1 basis-36 lg:max-w-xs lg:min-w-56"
      />
      <FilterToggle open={isOpen} panelId={panelId} activeCount={activeCount} className="lg:hidden" onClick={() => setOpen(!isOpen)} />
      <div id={panelId} className={classNames('flex flex-wrap gap-2 max-lg:w-full', !isOpen && 'max-lg:hidden')}>
        <PeriodFilter filter={filter} onFilter={onFilter} today={today} />
        <SortSelect choices={INVOICE_SORT_CHOICES} filter={filter} onFilter={onFilter} className="flex-1 basis-40 lg:w-48" />
      </div>
      {customerId !== undefined && (
        <Button tone="tinted" aria-label="Show all customers" onClick={() => onFilter(withoutCustomer(filter))} className="min-w-0">
          <span className="truncate">Only {customerName ?? 'one customer'}</span>
          <X aria-hidden="true" />
        </Button>
      )}
    </div>
  );
}

const withSearch = ({ search: _search, ...rest }: InvoiceListFilter, term: string): InvoiceListFilter =>
  term ? { ...rest, search: term } : rest;
const withoutCustomer = ({ customer_id: _customer, ...rest }: InvoiceListFilter): InvoiceListFilter => rest;

/** Too many to count is shown as the limit with a plus sign. */
function formatTabCount(count: number | null | undefined) {
  if (count === null) return `${formatCount(MAX_SUMMED_ROWS)}+`;
  return count === undefined ? <>&nbsp;</> : formatCount(count);
}

function InvoiceTabs({ filter, onFilter, counts }: Pick<InvoiceListToolbarProps, 'filter' | 'onFilter' | 'counts'>) {
  const activeTab = getActiveTab(filter);
  // Most companies email their invoices and never have an unsent one.
  const tabs = INVOICE_TABS.filter(({ value }) => value !== 'unsent' || activeTab === value || (counts?.unsent ?? 0) > 0);
  return (
    <div
      role="group"
      aria-label="Show"
      className="flex gap-0.5 rounded-control bg-neutral-soft p-0.5 max-sm:w-full max-sm:flex-wrap lg:mr-auto"
    >
      {tabs.map(({ value, count, label }) => (
        <button
          key={label}
          type="button"
          aria-pressed={activeTab === value}
          onClick={() => onFilter(withTab(filter, value))}
          className="flex min-h-11 items-center justify-center gap-1.5 rounded-md px-3 text-base font-medium text-ink-2 tabular-nums hover:text-ink aria-pressed:bg-surface aria-pressed:text-ink aria-pressed:shadow-card max-sm:flex-1 max-sm:flex-col max-sm:gap-0 max-sm:px-1 lg:min-h-8"
        >
          {label}
          <span className="font-normal text-ink-3 max-sm:text-sm">{formatTabCount(counts?.[count])}</span>
        </button>
      ))}
    </div>
  );
}
